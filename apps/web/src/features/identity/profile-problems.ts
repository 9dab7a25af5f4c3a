import { ProfileBody } from '@tapedeck/identity/contract';

export const profileFields = ['discordEmail', 'tradingViewUsername'] as const;
export type ProfileField = (typeof profileFields)[number];

export const profileLabels: Readonly<Record<ProfileField, string>> = {
  discordEmail: 'Discord Email',
  tradingViewUsername: 'TradingView Username',
};

export type ProfileProblems = Readonly<Partial<Record<ProfileField, string>>>;

/** What is wrong with each field, by the rules of the server. */
export const profileProblems = (profile: ProfileBody): ProfileProblems => {
  const { error } = ProfileBody.safeParse(profile);
  const entries = profileFields.flatMap((field) => {
    if (profile[field].trim() === '') return [[field, `${profileLabels[field]} is required.`] as const];
    const issue = error?.issues.find(({ path }) => path[0] === field);
    return issue ? [[field, issue.message] as const] : [];
  });
  return Object.fromEntries(entries);
};
