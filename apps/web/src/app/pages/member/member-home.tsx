import type { CurrentUser } from '@tapedeck/identity/contract';
import type { JSX } from 'react';
import { Navigate } from 'react-router-dom';
import { usePageTitle } from '../../../ui/browser/use-page-title.ts';
import { ForcedProfile, isProfileMissing } from './complete-profile.tsx';
import { Dashboard } from './dashboard.tsx';
import { MyAccount } from './my-account.tsx';
import { sectionPath, useCleanAddress, useSection, type Section } from './sections.ts';
import { OptimizerSection, TradingBotsSection } from './static-sections.tsx';

const titles: Readonly<Record<Section, string>> = {
  dashboard: 'Dashboard',
  'strategy-optimizer': 'Strategy Optimizer',
  'strategy-explorer': 'Strategy Explorer',
  'trading-bots': 'Trading Bots',
  'my-account': 'My Account',
};

const Content = ({ section, user }: Readonly<{ section: Section; user: CurrentUser }>): JSX.Element => {
  switch (section) {
    case 'dashboard':
    case 'strategy-explorer':
      return <Dashboard user={user} />;
    case 'strategy-optimizer':
      return <OptimizerSection />;
    case 'trading-bots':
      return <TradingBotsSection />;
    case 'my-account':
      return <MyAccount user={user} />;
  }
};

const SectionPage = ({ section, user }: Readonly<{ section: Section; user: CurrentUser }>): JSX.Element => {
  usePageTitle(`${titles[section]} · Tapedeck`);
  useCleanAddress();
  return <Content section={section} user={user} />;
};

/** `/` for members: the profile form while the profile is incomplete, then the chosen section. */
export const MemberHome = ({ user }: Readonly<{ user: CurrentUser }>): JSX.Element => {
  const section = useSection();
  if (section === 'strategy-explorer') return <Navigate to="/strategies" replace />;
  if (isProfileMissing(user)) return <ForcedProfile user={user} returnTo={sectionPath(section)} />;
  return <SectionPage section={section} user={user} />;
};
