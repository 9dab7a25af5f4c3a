import { sendRequest } from '../api/request.ts';
import { retries } from '../api/retry.ts';
import { sessionOfPage, type SessionAccount } from '../api/session-of-page.ts';
import type { MemberPrices } from './member-prices.ts';

type Answer = Readonly<{ data?: unknown; retryAfterSeconds?: number | undefined; isFailed: boolean }>;

const ask = async (url: string): Promise<Answer> => {
  const { data, error } = (await sendRequest({ url })).answer;
  return { data, retryAfterSeconds: error?.retryAfterSeconds, isFailed: error !== undefined };
};

/** Asks until there is an answer, by the rules of `retry.ts`. */
const askPatiently = async (url: string, failures = 0): Promise<unknown> => {
  const { data, isFailed, retryAfterSeconds } = await ask(url);
  if (!isFailed) return data;
  await new Promise<void>((resolve) => {
    retries.schedule({ failures: failures + 1, retryAfterSeconds, attempt: resolve });
  });
  return askPatiently(url, failures + 1);
};

const statusesWithSubscription: readonly unknown[] = ['active', 'pending', 'grace', 'suspended'];

/** What the pricing shows a member. */
const showTier = (root: HTMLElement, { tier, status }: Readonly<Record<string, unknown>>): void => {
  const card = [...root.querySelectorAll<HTMLElement>('[data-plan-of]')].find(
    ({ dataset }) => dataset['planOf'] === tier,
  );
  card?.setAttribute('data-current', '');
  root.toggleAttribute('data-subscription', statusesWithSubscription.includes(status));
};

export const isMember = (root: HTMLElement): boolean => root.dataset['session'] === 'member';

/** The server has rendered the page for a browser with a session; if that is over, the page becomes a visitor's. */
const checkSession = async (root: HTMLElement): Promise<void> => {
  const { sessionUrl = '', tierUrl = '', billingUrl = '' } = root.dataset;
  const { user } = Object(await askPatiently(sessionUrl)) as Readonly<{
    user?: SessionAccount | null;
  }>;
  sessionOfPage.record(user ?? null);
  if (!user) {
    root.dataset['session'] = 'visitor';
    return;
  }
  showTier(root, Object(await askPatiently(tierUrl)) as Readonly<Record<string, unknown>>);
  const [{ showMemberPrices }, billing] = await Promise.all([
    import('./member-prices.ts'),
    askPatiently(billingUrl),
  ]);
  // The contract of the server; this page loads no schemas.
  showMemberPrices(root, billing as MemberPrices);
};

/** A visitor is known to be one: nothing is asked. */
export const startSession = (root: HTMLElement): void => {
  if (isMember(root)) void checkSession(root);
  else sessionOfPage.record(null);
};
