import { beforeAll, describe, expect, it } from '@jest/globals';
import { buyAs, buyByEmail, memberAt, payAt, personAt, type Answer, type Person } from './buyers.ts';
import type { PaymentsProduct } from './payments-product.ts';

const who = ['visitor', 'Free member', 'Pro member', 'Elite member'] as const;
type Who = (typeof who)[number];

/** A request, and what its answer contains. `{name}` stands for a session of the fixture. */
type Rule = readonly [
  situation: string,
  who: Who,
  call: string,
  body: object | undefined,
  status: number,
  answer: object,
];

const says = (code: string, text: string): object => ({ code, detail: expect.stringContaining(text) });
const invalid = (text: string): object => says('INVALID_REQUEST', text);
const signedOut = says('SIGNED_OUT', 'You are signed out: sign in again.');
const withoutFeature = (text: string): object =>
  says('FEATURE_NOT_INCLUDED', `Your plan does not include ${text}`);
const withoutSubscription = says('SUBSCRIPTION_NOT_FOUND', 'choose a plan first');
const unknownPayment = says('PAYMENT_NOT_FOUND', 'open the link of the checkout page again');
const badEmail = invalid('Please enter a valid email address');
const emptyField = invalid('Please fill in all required fields.');
const checkout = { checkoutUrl: expect.stringMatching(/^http/) };
const profile = { discordEmail: 'rules@example.com', tradingViewUsername: 'rules' };
const byEmail = 'POST /api/create-pro-subscription-anonymous';
const pro = 'POST /api/create-pro-subscription';
const complete = 'POST /api/complete-profile';
const preview = 'POST /api/membership/change/preview';
const change = 'POST /api/membership/change';

// oxfmt-ignore
const validation: readonly Rule[] = [
  ['a checkout by e-mail without a body', 'visitor', byEmail, undefined, 400, { code: 'INVALID_REQUEST' }],
  ['a checkout by e-mail without the address', 'visitor', byEmail, {}, 400, { code: 'INVALID_REQUEST' }],
  ['a checkout by e-mail with an empty address', 'visitor', byEmail, { email: '' }, 400, badEmail],
  ['a checkout by e-mail with a space in the address', 'visitor', byEmail, { email: 'a b@example.com' }, 400, badEmail],
  ['a checkout by e-mail without an at-sign', 'visitor', byEmail, { email: 'example.com' }, 400, badEmail],
  ['a checkout by e-mail with a domain without a dot', 'visitor', byEmail, { email: 'a@example' }, 400, badEmail],
  ['a checkout by e-mail with a text too long', 'visitor', byEmail, { email: `${'a'.repeat(250)}@x.com` }, 400, invalid('email')],
  ['a checkout with a period that is not sold', 'Free member', pro, { period: 'weekly' }, 400, invalid('period')],
  ['a profile without the Discord address', 'Free member', complete, { tradingViewUsername: 'rules' }, 400, emptyField],
  ['a profile without the TradingView name', 'Free member', complete, { discordEmail: 'rules@example.com' }, 400, emptyField],
  ['a profile with a blank name', 'Free member', complete, { ...profile, tradingViewUsername: '  ' }, 400, emptyField],
  ['a profile with a Discord address that is none', 'Free member', complete, { ...profile, discordEmail: 'rules' }, 400, invalid('Please enter a valid email address.')],
  ['a complete profile', 'Free member', complete, profile, 200, profile],
  ['a verification without a session', 'visitor', 'GET /api/verify-payment/', undefined, 404, {}],
  ['a verification of an unknown session', 'visitor', 'GET /api/verify-payment/cs_test_unknown', undefined, 404, unknownPayment],
  ['a verification of a text that is no session', 'visitor', 'GET /api/verify-payment/%00', undefined, 404, unknownPayment],
  ['a request for a code to an address that is none', 'Free member', 'POST /api/claims/code', { email: 'x' }, 400, badEmail],
  ['a claim with a code of five digits', 'Free member', 'POST /api/claims', { code: '12345' }, 400, invalid('must be the six digits from the e-mail')],
  ['a change to a plan that is not sold', 'Pro member', preview, { tier: 'Basic', period: 'monthly' }, 400, invalid('tier')],
  ['a cancellation for a reason that is not offered', 'Pro member', 'POST /api/cancel-subscription', { reason: 'none' }, 400, invalid('reason')],
];

// oxfmt-ignore
const permissions: readonly Rule[] = [
  ['the account of nobody', 'visitor', 'GET /api/auth/user', undefined, 401, signedOut],
  ['the roles of nobody', 'visitor', 'GET /api/auth/admin-status', undefined, 401, signedOut],
  ['the tier of nobody', 'visitor', 'GET /api/member/tier', undefined, 401, signedOut],
  ['the history of nobody', 'visitor', 'GET /api/member/history', undefined, 401, signedOut],
  ['the payments of nobody', 'visitor', 'GET /api/membership/billing', undefined, 401, signedOut],
  ['a checkout for members', 'visitor', pro, undefined, 401, signedOut],
  ['a claim without an account', 'visitor', 'POST /api/link-payment', {}, 401, signedOut],
  ['a cancellation without an account', 'visitor', 'POST /api/cancel-subscription', undefined, 401, signedOut],
  ['Pro by e-mail', 'visitor', byEmail, { email: 'rules@example.com' }, 201, checkout],
  ['Elite by e-mail', 'visitor', 'POST /api/create-elite-subscription-anonymous', { email: 'rules@example.com' }, 201, checkout],
  ['annual Pro by e-mail', 'visitor', 'POST /api/create-pro-annual-subscription-anonymous', { email: 'rules@example.com' }, 201, checkout],
  ['annual Elite by e-mail', 'visitor', 'POST /api/create-elite-annual-subscription-anonymous', { email: 'rules@example.com' }, 201, checkout],
  ['Pro for a member', 'Free member', pro, undefined, 201, checkout],
  ['annual Elite for a member', 'Free member', 'POST /api/create-elite-subscription', { period: 'annual' }, 201, checkout],
  ['the roles of a member', 'Elite member', 'GET /api/auth/admin-status', undefined, 200, { isAdmin: false, isSupport: false }],
  ['the profile of a new member', 'Pro member', 'GET /api/auth/user', undefined, 200, { discordEmail: null, tradingViewUsername: null }],
  ['the tier of whoever has bought nothing', 'Free member', 'GET /api/member/tier', undefined, 200, { tier: 'Free', active: true, status: 'none', renewalDate: null, stripeCustomerEmail: null, features: [] }],
  ['the tier of whoever has bought Pro', 'Pro member', 'GET /api/member/tier', undefined, 200, { tier: 'Pro', active: true, status: 'active', period: 'monthly', renewalDate: expect.any(String), stripeCustomerEmail: 'rules-pro@example.com', features: ['csvExport', 'favourites'] }],
  ['the tier of whoever has bought Elite', 'Elite member', 'GET /api/member/tier', undefined, 200, { tier: 'Elite', active: true, status: 'active', features: ['explorer', 'sourceCode', 'csvExport', 'favourites'] }],
  ['the explorer on the plan Free', 'Free member', 'GET /api/strategies/explore', undefined, 403, withoutFeature('the Strategy Explorer: upgrade to Elite.')],
  ['the explorer on the plan Pro', 'Pro member', 'GET /api/strategies/datatable/filtered', undefined, 403, withoutFeature('the Strategy Explorer: upgrade to Elite.')],
  ['the explorer on the plan Elite', 'Elite member', 'GET /api/strategies/explore', undefined, 200, { total: 0 }],
  ['a new favourite on the plan Free', 'Free member', 'POST /api/member/favorites', { urlId: 'Unknown1', tags: [] }, 403, withoutFeature('favourites: upgrade to Pro or Elite.')],
  ['a new favourite on the plan Pro', 'Pro member', 'POST /api/member/favorites', { urlId: 'Unknown1', tags: [] }, 404, { code: 'STRATEGY_NOT_FOUND' }],
  ['the CSV export on the plan Free', 'Free member', 'GET /api/strategies/export.csv', undefined, 403, withoutFeature('the CSV export: upgrade to Pro or Elite.')],
  ['the right to export on the plan Pro', 'Pro member', 'GET /api/strategies/export-right', undefined, 200, { allowed: true }],
];

// oxfmt-ignore
const payments: readonly Rule[] = [
  ['the verification of a payment by its buyer', 'Pro member', 'GET /api/verify-payment/{Pro member}', undefined, 200, { success: true, state: 'paid', tier: 'Pro', email: 'rules-pro@example.com', subscriptionId: expect.stringMatching(/^sub_/), claimed: true, isOwner: true, grantedTier: 'Pro' }],
  ['the verification of a payment by somebody else', 'visitor', 'GET /api/verify-payment/{Pro member}', undefined, 200, { success: true, email: null, subscriptionId: null, claimed: true, isOwner: false, grantedTier: null }],
  ['the verification of a declined payment', 'visitor', 'GET /api/verify-payment/{declined}', undefined, 200, { success: false, state: 'processing' }],
  ['a claim by whoever has bought nothing', 'Free member', 'POST /api/link-payment', {}, 404, says('PURCHASE_NOT_FOUND', 'contact support')],
  ['a claim of the purchase of another browser', 'Free member', 'POST /api/link-payment', { sessionId: '{guest}' }, 403, says('CLAIM_NOT_PROVED', 'ask for a code')],
  ['a claim with a code that was not sent', 'Free member', 'POST /api/claims', { code: '000000' }, 422, { code: expect.stringMatching(/^CLAIM_CODE_/) }],
  ['a second subscription', 'Pro member', 'POST /api/create-elite-subscription', undefined, 409, says('ALREADY_SUBSCRIBED', 'You have a subscription already: change its plan in My Account.')],
  ['a cancellation without a subscription', 'Free member', 'POST /api/cancel-subscription', undefined, 404, withoutSubscription],
  ['a continuation without a subscription', 'Free member', 'POST /api/membership/resume', undefined, 404, withoutSubscription],
  ['a change of plan without a subscription', 'Free member', preview, { tier: 'Elite', period: 'monthly' }, 404, withoutSubscription],
  ['the billing portal without a subscription', 'Free member', 'POST /api/create-billing-portal', undefined, 404, withoutSubscription],
  ['the billing portal with a subscription', 'Pro member', 'POST /api/create-billing-portal', undefined, 201, { url: expect.stringMatching(/^http/) }],
  ['the payments without a subscription', 'Free member', 'GET /api/membership/billing', undefined, 200, { subscription: null, payments: [], unclaimed: [] }],
  ['the payments with a subscription', 'Pro member', 'GET /api/membership/billing', undefined, 200, { subscription: { tier: 'Pro', nextAmount: 999, currency: 'usd' }, payments: [{ amount: 499, refunded: 0 }] }],
  ['the price of an upgrade', 'Pro member', preview, { tier: 'Elite', period: 'monthly' }, 200, { kind: 'upgrade', nextAmount: 1_999 }],
  ['the price of a downgrade', 'Elite member', preview, { tier: 'Pro', period: 'monthly' }, 200, { kind: 'downgrade', dueNow: 0, nextAmount: 999 }],
  ['a change to the own plan', 'Pro member', preview, { tier: 'Pro', period: 'monthly' }, 409, says('PLAN_UNCHANGED', 'choose another one')],
  ['an upgrade at a price that was not shown', 'Pro member', change, { tier: 'Elite', period: 'monthly', previewId: 'made.up' }, 409, says('PREVIEW_EXPIRED', 'then confirm')],
  ['a cancellation', 'Pro member', 'POST /api/cancel-subscription', undefined, 200, { state: 'done', message: expect.stringMatching(/^Your subscription is cancelled\. Access lasts until \w{3} \d+, \d{4}\.$/) }],
  ['a continuation after the cancellation', 'Pro member', 'POST /api/membership/resume', undefined, 200, { state: 'done', message: 'Your subscription continues and renews as before.' }],
  ['a webhook without a signature', 'visitor', 'POST /api/stripe/webhook', {}, 400, { code: 'WEBHOOK_SIGNATURE_INVALID' }],
  ['a deletion of the account with another address', 'Free member', 'DELETE /api/account', { confirmation: 'x@example.com' }, 422, says('CONFIRMATION_WRONG', 'type it as My Account shows it')],
  ['the end of a session of somebody else', 'Free member', 'DELETE /api/sessions/00000000-0000-4000-8000-000000000000', undefined, 404, { code: 'NO_SUCH_SESSION' }],
  ['the prices', 'visitor', 'GET /api/config', undefined, 200, { billingPortalUrl: expect.any(String), freeFeatures: [], plans: expect.arrayContaining([
    expect.objectContaining({ tier: 'Pro', period: 'monthly', amount: 999, introAmount: 499 }),
    expect.objectContaining({ tier: 'Pro', period: 'annual', amount: 7_499 }),
    expect.objectContaining({ tier: 'Elite', period: 'monthly', amount: 1_999, introAmount: null }),
    expect.objectContaining({ tier: 'Elite', period: 'annual', amount: 17_999 }),
  ]) }],
];

let product: PaymentsProduct;
const people = new Map<Who, Person>();
const sessions = new Map<string, string>();

const personOf = (name: Who): Person => people.get(name) ?? personAt(product);

const buyWithDeclinedCard = async (buyer: Person): Promise<string> => {
  const { body } = await buyer.send('POST', byEmail.slice(5), { email: 'rules-declined@example.com' });
  await payAt(body['checkoutUrl'], 'declined');
  return String(body['checkoutUrl']).split('/').at(-1) ?? '';
};

const filled = (text: string): string =>
  text.replaceAll(/\{([\w ]+)\}/g, (all, name: string) => sessions.get(name) ?? all);

const ask = (name: Who, call: string, body: object | undefined): Promise<Answer> => {
  const [method, path = ''] = filled(call).split(' ');
  if (method === 'GET') return personOf(name).get(path);
  const sent = body && (JSON.parse(filled(JSON.stringify(body))) as object);
  return personOf(name).send(method === 'DELETE' ? 'DELETE' : 'POST', path, sent);
};

/** Of a product with `ENTITLEMENTS=advertised`, before its clock has moved. */
export const describeRules = (running: () => PaymentsProduct): void => {
  beforeAll(async () => {
    product = running();
    for (const name of who.slice(1))
      people.set(name, await memberAt(product, `rules-${name.split(' ')[0]?.toLowerCase()}@example.com`));
    sessions.set('Pro member', await buyAs(personOf('Pro member')));
    sessions.set('Elite member', await buyAs(personOf('Elite member'), 'elite'));
    sessions.set('guest', await buyByEmail(personAt(product), 'rules-guest@example.com'));
    sessions.set('declined', await buyWithDeclinedCard(personAt(product)));
    await product.settled();
    const rules = validation.length + permissions.length + payments.length;
    process.stdout.write(`${rules} rules of accounts, membership and payments\n`);
  }, 120_000);

  describe.each([
    ['what is entered (section 5)', validation],
    ['what each plan includes (section 6)', permissions],
    ['what goes wrong with money (section 8)', payments],
  ])('the rules about %s', (_, rules) => {
    it.each(rules)(
      'say what answers %s, sent by the %s',
      async (_situation, name, call, body, status, answer) => {
        expect(await ask(name, call, body)).toMatchObject({ status, body: answer });
      },
    );
  });
};
