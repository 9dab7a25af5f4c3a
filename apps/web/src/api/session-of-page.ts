import { sendRequest } from './request.ts';

/** Whose session it is. */
export type SessionAccount = Readonly<{ id: string; email: string }>;

/** The account of the session in the meantime: null after a sign-out. */
export type OtherAccount = Pick<SessionAccount, 'email'> | null;

type Channel = Pick<BroadcastChannel, 'postMessage' | 'addEventListener'>;

/** What of the browser it needs. */
export type SessionOptions = Readonly<{
  /** To the other pages of this browser. */
  openChannel: () => Channel;
  /** Undefined if it could not be found out. */
  findAccount: () => Promise<SessionAccount | null | undefined>;
}>;

export type SessionOfPage = Readonly<{
  /** The account that this page shows: the first one that it has found. Null for a visitor, undefined while it is not known. */
  accountId: () => string | null | undefined;
  /** What an answer of the server says. The other pages of the browser learn it. */
  record: (account: SessionAccount | null) => void;
  /** Asks the server: the session may have become another person's. */
  check: () => Promise<void>;
  /** Undefined while the session is that of the account that this page shows. */
  other: () => OtherAccount | undefined;
  subscribe: (listener: () => void) => () => void;
}>;

/**
 * All pages of a browser have one session, and a page does not see that a sign-in in another one has replaced it. So
 * each page says whose it has found; a page of another account asks the server, and says so before it is loaded again.
 */
export const createSessionOfPage = ({ openChannel, findAccount }: SessionOptions): SessionOfPage => {
  let shown: string | null | undefined;
  let other: OtherAccount | undefined;
  let channel: Channel | undefined;
  const listeners = new Set<() => void>();

  const setOther = (next: OtherAccount | undefined): void => {
    other = next;
    listeners.forEach((listener) => listener());
  };
  const compare = (account: SessionAccount | null): void => {
    if (typeof shown !== 'string') return;
    if (account?.id === shown) setOther(undefined);
    else setOther(account && { email: account.email });
  };
  const check = async (): Promise<void> => {
    const account = await findAccount();
    if (account !== undefined) compare(account);
  };
  const opened = (): Channel => {
    if (channel) return channel;
    const own = openChannel();
    own.addEventListener('message', ({ data }) => {
      if (typeof shown === 'string' && (data !== shown || other !== undefined)) void check();
    });
    channel = own;
    return own;
  };
  return {
    accountId: () => shown,
    record: (account) => {
      if (typeof shown === 'string') {
        // Without a session, the page goes to sign-in.
        if (account) compare(account);
        return;
      }
      const id = account?.id ?? null;
      if (id === shown) return;
      shown = id;
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- all of a BroadcastChannel have one origin
      opened().postMessage(id);
    },
    check,
    other: () => other,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

/** Of `identityRoutes`: the landing page, which loads no schemas, asks too. */
export const sessionPath = '/api/auth/session';

const isAccount = (user: unknown): user is SessionAccount => {
  const { id, email } = Object(user) as Readonly<Record<string, unknown>>;
  return typeof id === 'string' && typeof email === 'string';
};

const findAccount = async (): Promise<SessionAccount | null | undefined> => {
  const { data, error } = (await sendRequest({ url: sessionPath })).answer;
  if (error) return error.status === 401 ? null : undefined;
  const { user } = Object(data) as Readonly<{ user?: unknown }>;
  if (user === null) return null;
  return isAccount(user) ? user : undefined;
};

export const sessionOfPage = createSessionOfPage({
  openChannel: () => new BroadcastChannel('tapedeck.session'),
  findAccount,
});
