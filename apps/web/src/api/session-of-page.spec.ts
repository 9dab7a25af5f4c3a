import { describe, expect, it } from '@jest/globals';
import { identityRoutes } from '@tapedeck/identity/contract';
import {
  createSessionOfPage,
  sessionPath,
  type SessionAccount,
  type SessionOfPage,
} from './session-of-page.ts';

const ann: SessionAccount = { id: 'a', email: 'ann@example.com' };
const ben: SessionAccount = { id: 'b', email: 'ben@example.com' };

type Page = Readonly<{ session: SessionOfPage; requests: () => number }>;
type TestBrowser = Readonly<{
  signIn: (account: SessionAccount | null) => void;
  /** `undefined`: the server does not answer. */
  answer: (isAnswering: boolean) => void;
  open: () => Page;
}>;

/** Pages with one session, whose messages arrive at once. */
const testBrowser = (): TestBrowser => {
  let account: SessionAccount | null = null;
  let isAnswering = true;
  const receivers: ((event: MessageEvent) => void)[] = [];
  const openPage = (): Page => {
    let own: ((event: MessageEvent) => void) | undefined;
    let requests = 0;
    const session = createSessionOfPage({
      openChannel: () => ({
        addEventListener: (_type: string, receive: unknown) => {
          // The only listener that a page adds.
          own = receive as (event: MessageEvent) => void;
          receivers.push(own);
        },
        postMessage: (data: unknown) =>
          receivers
            .filter((each) => each !== own)
            .forEach((each) => each(new MessageEvent('message', { data }))),
      }),
      findAccount: () => {
        requests++;
        return Promise.resolve(isAnswering ? account : undefined);
      },
    });
    return { session, requests: () => requests };
  };
  return {
    signIn: (next) => {
      account = next;
    },
    answer: (next) => {
      isAnswering = next;
    },
    open: () => {
      const page = openPage();
      if (isAnswering) page.session.record(account);
      return page;
    },
  };
};

const answered = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the session of a page', () => {
  it('is unknown, then that of the first answer, whatever later ones say', () => {
    const browser = testBrowser();
    browser.answer(false);
    const { session } = browser.open();
    expect(session.accountId()).toBeUndefined();
    session.record(ann);
    session.record(ben);
    session.record(null);
    expect(session.accountId()).toBe('a');
  });

  it('becomes the one of a visitor who signs in', () => {
    const { session } = testBrowser().open();
    expect(session.accountId()).toBeNull();
    session.record(ann);
    expect([session.accountId(), session.other()]).toEqual(['a', undefined]);
  });

  it.each([
    ['another person', ben, { email: 'ben@example.com' }],
    ['a visitor', null, null],
  ])('is replaced when %s opens another page', async (_who, next, other) => {
    const browser = testBrowser();
    browser.signIn(ann);
    const { session } = browser.open();
    let calls = 0;
    session.subscribe(() => calls++);
    browser.signIn(next);
    browser.open();
    await answered();
    expect([session.other(), calls]).toEqual([other, 1]);
    expect(session.accountId()).toBe('a');
  });

  it('is not asked for when the same person opens another page, or for a page of a visitor', async () => {
    const browser = testBrowser();
    const visitor = browser.open();
    browser.signIn(ann);
    const old = browser.open();
    browser.open();
    await answered();
    expect([visitor.requests(), old.requests()]).toEqual([0, 0]);
  });

  it('stays when the server says so, or does not answer', async () => {
    const browser = testBrowser();
    browser.signIn(ann);
    const old = browser.open();
    browser.answer(false);
    const outdated = browser.open();
    outdated.session.record(null);
    await answered();
    browser.answer(true);
    await old.session.check();
    expect([old.session.other(), old.requests()]).toEqual([undefined, 2]);
  });

  it('is found again when the first person has signed in again', async () => {
    const browser = testBrowser();
    browser.signIn(ann);
    const { session } = browser.open();
    browser.signIn(ben);
    browser.open();
    await answered();
    expect(session.other()).toEqual({ email: 'ben@example.com' });
    browser.signIn(ann);
    browser.open();
    await answered();
    expect(session.other()).toBeUndefined();
  });

  it('is seen to be another one by an ordinary answer', () => {
    const browser = testBrowser();
    browser.signIn(ann);
    const { session } = browser.open();
    session.record(ben);
    expect(session.other()).toEqual({ email: 'ben@example.com' });
  });

  it('is asked for where the product answers', () => {
    expect(sessionPath).toBe(identityRoutes.optionalUser);
  });
});
