import { sendRequest } from '../api/request.ts';
import { retries } from '../api/retry.ts';
import { sessionOfPage, type SessionAccount } from '../api/session-of-page.ts';
import type { PlanOffers } from '../features/payments/plans.ts';
import type { MemberPrices } from './member-prices.ts';

/** A request without an answer is tried again; a person who has pressed a button meanwhile is not kept waiting any longer. */
const timeoutMs = 10_000;

type Answer = Readonly<{ data?: unknown; retryAfterSeconds?: number | undefined; isFailed: boolean }>;

const ask = async (url: string): Promise<Answer> => {
  const { data, error } = (await sendRequest({ url }, { timeoutMs })).answer;
  return { data, retryAfterSeconds: error?.retryAfterSeconds, isFailed: error !== undefined };
};

type Failed = () => void;

/** Asks until there is an answer, by the rules of `retry.ts`; `onFailure` is called for each request that has none. */
const askPatiently = async (url: string, onFailure: Failed, failures = 0): Promise<unknown> => {
  const { data, isFailed, retryAfterSeconds } = await ask(url);
  if (!isFailed) return data;
  onFailure();
  await new Promise<void>((resolve) => {
    retries.schedule({ failures: failures + 1, retryAfterSeconds, attempt: resolve });
  });
  return askPatiently(url, onFailure, failures + 1);
};

const showTier = (root: HTMLElement, { tier }: Readonly<Record<string, unknown>>): void => {
  const card = [...root.querySelectorAll<HTMLElement>('[data-plan-of]')].find(
    ({ dataset }) => dataset['planOf'] === tier,
  );
  card?.setAttribute('data-current', '');
};

export const isMember = (root: HTMLElement): boolean => root.dataset['session'] === 'member';

/** The page was rendered for a member. */
const showVisitorPrices = async (url: string, onFailure: Failed): Promise<void> => {
  const [{ showOffers }, config] = await Promise.all([
    import('./member-prices.ts'),
    askPatiently(url, onFailure),
  ]);
  // The contract of the server; this page loads no schemas.
  showOffers(document, (config as Readonly<{ plans: PlanOffers }>).plans);
};

const showPrices = async (root: HTMLElement, url: string, onFailure: Failed): Promise<void> => {
  const [{ showMemberPrices }, billing] = await Promise.all([
    import('./member-prices.ts'),
    askPatiently(url, onFailure),
  ]);
  showMemberPrices(root, billing as MemberPrices);
};

/** The server has rendered the page for a browser with a session; if that is over, the page becomes a visitor's. */
const checkSession = async (root: HTMLElement, onFailure: Failed): Promise<void> => {
  const { sessionUrl = '', tierUrl = '', billingUrl = '', configUrl = '' } = root.dataset;
  const { user } = Object(await askPatiently(sessionUrl, onFailure)) as Readonly<{
    user?: SessionAccount | null;
  }>;
  sessionOfPage.record(user ?? null);
  if (!user) {
    root.dataset['session'] = 'visitor';
    return showVisitorPrices(configUrl, onFailure);
  }
  void askPatiently(tierUrl, () => undefined).then((tier) =>
    showTier(root, Object(tier) as Readonly<Record<string, unknown>>),
  );
  return showPrices(root, billingUrl, onFailure);
};

/**
 * A visitor is known to be one: nothing is asked. Resolves when the prices of this person are shown, or could not be found out at
 * the first try.
 */
export const startSession = async (root: HTMLElement): Promise<void> => {
  if (!isMember(root)) {
    sessionOfPage.record(null);
    return;
  }
  await new Promise<void>((resolve) => {
    checkSession(root, resolve).then(resolve, resolve);
  });
};
