import { runRoleCommand } from '@tapedeck/identity/roles';
import { createBrowser, type Browser } from '@tapedeck/sandbox/testing';
import type { PaymentsProduct } from './payments-product.ts';

export type Answer = Readonly<{ status: number; body: Readonly<Record<string, unknown>> }>;

/** A browser at the product. */
export type Person = Readonly<{
  browser: Browser;
  get: (path: string) => Promise<Answer>;
  send: (method: 'POST' | 'DELETE', path: string, body?: object) => Promise<Answer>;
}>;

export const personAt = (
  { url }: Pick<PaymentsProduct, 'url'>,
  browser: Browser = createBrowser(),
): Person => {
  const request = async (path: string, init: RequestInit): Promise<Answer> => {
    const answer = await browser.request(`${url}${path}`, init);
    const text = await answer.text();
    return {
      status: answer.status,
      body: text === '' ? {} : (JSON.parse(text) as Readonly<Record<string, unknown>>),
    };
  };
  return {
    browser,
    get: (path) => request(path, {}),
    send: (method, path, body) =>
      request(path, {
        method,
        headers: { origin: url, ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      }),
  };
};

export const memberAt = async (
  product: Pick<PaymentsProduct, 'url' | 'signIn'>,
  email: string,
): Promise<Person> => personAt(product, await product.signIn(email));

/** Somebody of the support. After the clock has moved they have to sign in again. */
export const supportAt = async (product: PaymentsProduct): Promise<Person> => {
  const email = 'support@example.com';
  await memberAt(product, email);
  const { product: opened, clock } = product;
  const output = { write: () => undefined };
  const options = { store: opened.store, pool: opened.databases.tapedeck, clock, output, errors: output };
  await runRoleCommand({ ...options, args: ['grant', 'support', email] });
  return memberAt(product, email);
};

/** Pays on the page of the stand-in; returns where it redirects, or null when the card was declined. */
export const payAt = async (checkoutUrl: unknown, card = 'ok'): Promise<URL | null> => {
  const answer = await fetch(String(checkoutUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `card=${card}`,
    redirect: 'manual',
  });
  await answer.arrayBuffer();
  const location = answer.headers.get('location');
  return location === null ? null : new URL(location);
};

/** Buys by e-mail, without an account; returns the session's id. */
export const buyByEmail = async (buyer: Person, email: string, plan = 'pro'): Promise<string> => {
  const { status, body } = await buyer.send('POST', `/api/create-${plan}-subscription-anonymous`, { email });
  if (status !== 201) throw new Error(`The checkout was answered with ${status}: ${JSON.stringify(body)}`);
  return (await payAt(body['checkoutUrl']))?.searchParams.get('session_id') ?? '';
};

/** Buys while signed in; returns the session's id. */
export const buyAs = async (member: Person, plan = 'pro', body?: object): Promise<string> => {
  const started = await member.send('POST', `/api/create-${plan}-subscription`, body);
  if (started.status !== 201)
    throw new Error(`The checkout was answered with ${started.status}: ${JSON.stringify(started.body)}`);
  return (await payAt(started.body['checkoutUrl']))?.searchParams.get('session_id') ?? '';
};

export const tierOf = async (member: Person): Promise<unknown> => {
  const { body } = await member.get('/api/member/tier');
  return `${String(body['tier'])} ${String(body['status'])}`;
};

export type ShownMail = Readonly<{ to: readonly string[]; subject: string; text: string; html: string }>;

/** What the mailbox of the sandbox has for an address; the newest first. */
export const mailsTo = async (
  { sandbox }: Pick<PaymentsProduct, 'sandbox'>,
  email: string,
): Promise<readonly ShownMail[]> => {
  const answer = await fetch(`${sandbox}/mailbox/mails.json?to=${encodeURIComponent(email)}`);
  return (await answer.json()) as readonly ShownMail[];
};

/** What was written at Stripe, and what was sent to anybody. */
export const outsideOf = async (
  product: Pick<PaymentsProduct, 'sandbox'>,
): Promise<Readonly<{ writes: number; mails: number }>> => {
  const answer = await fetch(`${product.sandbox}/_control/stripe/requests`);
  const requests = (await answer.json()) as readonly Readonly<{ method: string }>[];
  return {
    writes: requests.filter(({ method }) => method !== 'GET').length,
    mails: (await mailsTo(product, '')).length,
  };
};
