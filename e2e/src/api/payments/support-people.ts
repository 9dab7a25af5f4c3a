import { auditRoutes, Timeline } from '@tapedeck/audit/contract';
import { runRoleCommand } from '@tapedeck/identity/roles';
import { identityRoutes } from '@tapedeck/identity/contract';
import { newId } from '@tapedeck/kernel';
import {
  ActionOutcome,
  ActionPreview,
  MemberMoney,
  MoneyProposals,
  moneyRoutes,
  type WantedAction,
} from '@tapedeck/payments/contract';
import type { Stripe } from 'stripe';
import { buyAs, memberAt, type Answer, type Person } from './buyers.ts';
import type { PaymentsProduct } from './payments-product.ts';

export const newEmail = (): string => `${newId().slice(-12)}@example.com`;

/** Somebody with a role. After the clock has moved they have to sign in again. */
export const staffAt = async (
  product: PaymentsProduct,
  role: 'support' | 'admin',
  email: string,
): Promise<Person> => {
  await memberAt(product, email);
  const { product: opened, clock } = product;
  const output = { write: () => undefined };
  const options = { store: opened.store, pool: opened.databases.tapedeck, clock, output, errors: output };
  await runRoleCommand({ ...options, args: ['grant', role, email] });
  // The session has the roles that are known when it begins.
  await product.settled();
  return memberAt(product, email);
};

export type Staff = Readonly<{ support: Person; admin: Person }>;

/** One of each role, signed in. */
export const signInStaff = async (product: PaymentsProduct): Promise<Staff> => ({
  support: await staffAt(product, 'support', 'support@example.com'),
  admin: await staffAt(product, 'admin', 'admin@example.com'),
});

/** A member with a paid subscription. */
export type Subscriber = Readonly<{
  email: string;
  member: Person;
  accountId: string;
  subscriptionId: string;
  customerId: string;
}>;

export const accountIdOf = async (member: Person): Promise<string> =>
  String((await member.get(identityRoutes.user)).body['id']);

export const subscriberAt = async (product: PaymentsProduct, plan = 'pro'): Promise<Subscriber> => {
  const email = newEmail();
  const member = await memberAt(product, email);
  const sessionId = await buyAs(member, plan);
  await product.settled();
  const session = await product.stripe.checkout.sessions.retrieve(sessionId);
  return {
    email,
    member,
    accountId: await accountIdOf(member),
    subscriptionId: String(session.subscription),
    customerId: String(session.customer),
  };
};

export const moneyOf = async (support: Person, accountId: string): Promise<MemberMoney> =>
  MemberMoney.parse((await support.get(moneyRoutes.money(accountId))).body);

export const proposalsFor = async (reader: Person, accountId: string): Promise<MoneyProposals['items']> =>
  MoneyProposals.parse((await reader.get(`${moneyRoutes.proposals}?accountId=${accountId}`)).body).items;

type Target = Pick<Subscriber, 'accountId' | 'subscriptionId'>;

export const previewAs = (
  support: Person,
  { accountId, subscriptionId }: Target,
  action: WantedAction,
): Promise<Answer> => support.send('POST', moneyRoutes.preview(accountId), { subscriptionId, action });

export const shownTo = async (
  support: Person,
  target: Target,
  action: WantedAction,
): Promise<ActionPreview> => {
  const { status, body } = await previewAs(support, target, action);
  if (status !== 200) throw new Error(`The preview was answered with ${status}: ${JSON.stringify(body)}`);
  return ActionPreview.parse(body);
};

export const reason = 'The member has asked for it.';

export const confirmAs = (
  support: Person,
  { accountId }: Pick<Target, 'accountId'>,
  { previewId }: Pick<ActionPreview, 'previewId'>,
): Promise<Answer> => support.send('POST', moneyRoutes.confirm(accountId), { previewId, reason });

/** What has become of an action that was shown and confirmed at once. */
export const take = async (
  support: Person,
  target: Target,
  action: WantedAction,
): Promise<ActionOutcome['state']> => {
  const { status, body } = await confirmAs(support, target, await shownTo(support, target, action));
  if (status !== 200) throw new Error(`The action was answered with ${status}: ${JSON.stringify(body)}`);
  return ActionOutcome.parse(body).state;
};

/** Status, and the code of a refusal or the state of an outcome. */
export const codeOf = ({ status, body }: Answer): string =>
  `${status} ${String(body['code'] ?? body['state'])}`;

export const chargesAt = async (
  { stripe }: PaymentsProduct,
  { customerId }: Subscriber,
): Promise<readonly Stripe.Charge[]> =>
  (await stripe.charges.list({ customer: customerId, expand: ['data.refunds'] })).data;

/** What Stripe has given back, and by how many refunds. */
export const refundsAt = async (
  product: PaymentsProduct,
  one: Subscriber,
): Promise<Readonly<{ amount: number; count: number }>> => {
  const charges = await chargesAt(product, one);
  return {
    amount: charges.reduce((sum, { amount_refunded: amount }) => sum + amount, 0),
    count: charges.reduce((sum, { refunds }) => sum + (refunds?.data.length ?? 0), 0),
  };
};

/** Events of these types, the newest first. */
export const timelineAt = async (
  product: PaymentsProduct,
  reader: Person,
  { accountId }: Subscriber,
  types: string,
): Promise<Timeline['events']> => {
  await product.settled();
  const { body } = await reader.get(`${auditRoutes.timeline(accountId)}?types=${types}`);
  return Timeline.parse(body).events;
};
