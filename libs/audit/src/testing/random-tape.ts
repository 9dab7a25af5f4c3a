import { accountId, derivedId, DomainError } from '@tapedeck/kernel';
import { simulatedStripe } from '@tapedeck/membership/testing';
import fc from 'fast-check';
import { change, grant, member, newTape, passTo, revoke, tell, type Tape } from './tape.ts';

type Stripe = ReturnType<typeof simulatedStripe.bought>;

/** What has happened at Stripe, and what of it has reached the tape. */
export type Life = Readonly<{ stripe: Stripe; tape: Tape; grants: number }>;
type Step = (life: Life) => Life;

export const iso = (time: number): string => new Date(time).toISOString();
const hourMs = 3_600_000;
const { advance, bought, nextWork, snapshotOf } = simulatedStripe;

const atStripe =
  (happens: (known: Stripe) => Stripe): Step =>
  (life) => ({ ...life, stripe: happens(advance(life.stripe, life.stripe.now + 1_000)) });

/** A command that the rules refuse changes nothing. */
const onTape =
  (write: (tape: Tape, now: string) => Tape): Step =>
  (life) => {
    try {
      return { ...life, tape: write(life.tape, iso(life.stripe.now)) };
    } catch (error) {
      if (error instanceof DomainError) return life;
      throw error;
    }
  };

const passTime = (life: Life, to: number): Life => {
  const stripe = advance(life.stripe, to);
  return { ...life, stripe, tape: passTo(life.tape, iso(to)) };
};

const wait =
  (hours: number): Step =>
  (life) =>
    passTime(life, life.stripe.now + hours * hourMs);

const granting =
  (tier: 'Pro' | 'Elite', days: number | null): Step =>
  (life) => {
    const until = days === null ? null : iso(life.stripe.now + days * 24 * hourMs);
    const given = { id: `grant ${life.grants}`, tier, until };
    return onTape((tape, now) => grant(tape, given, now))({ ...life, grants: life.grants + 1 });
  };

const handOver = (toAccountId: typeof member): Step =>
  onTape((tape, now) => {
    const proof = { fromEmailHash: 'hash', intentId: 'intent-1', proof: 'support' } as const;
    return change(
      tape,
      { type: 'TransferPurchase', toAccountId, ...proof, hasOtherSubscription: false, now },
      now,
    );
  });

/** A snapshot of Stripe reaches the tape: what has happened there before was not known until now. */
const tellNow: Step = (life) => ({ ...life, tape: tell(life.tape, snapshotOf(life.stripe)) });

const steps = {
  tell: tellNow,
  waitADay: wait(25),
  waitFourDays: wait(24 * 4),
  waitAFortnight: wait(24 * 15),
  waitAMonth: wait(24 * 31),
  changeCard: atStripe((stripe) => ({ ...stripe, cardWorks: !stripe.cardWorks })),
  pay: atStripe(simulatedStripe.payOpen),
  cancelOrResume: atStripe((stripe) => ({ ...stripe, cancels: !stripe.cancels })),
  upgrade: atStripe(simulatedStripe.upgrade),
  downgrade: atStripe(simulatedStripe.downgrade),
  refundAll: atStripe((stripe) => simulatedStripe.refund(stripe, 'all')),
  refundPart: atStripe((stripe) => simulatedStripe.refund(stripe, 'part')),
  failRefunds: atStripe(simulatedStripe.failRefunds),
  end: atStripe(simulatedStripe.end),
  dispute: atStripe((stripe) => (stripe.dispute === 'none' ? { ...stripe, dispute: 'open' } : stripe)),
  loseDispute: atStripe((stripe) => (stripe.dispute === 'open' ? { ...stripe, dispute: 'lost' } : stripe)),
  grantPro: granting('Pro', 10),
  grantElite: granting('Elite', null),
  revoke: onTape(revoke),
  handOver: handOver(accountId(derivedId('another account'))),
  handBack: handOver(member),
} as const satisfies Record<string, Step>;

type StepName = keyof typeof steps;

const often: readonly StepName[] = ['tell', 'tell', 'tell', 'tell', 'changeCard', 'waitAMonth'];

const starts = ['2026-01-31T23:30:00Z', '2028-01-29T12:00:00Z', '2026-03-29T00:59:59Z'];
const plans = [
  { tier: 'Pro', period: 'monthly' },
  { tier: 'Elite', period: 'monthly' },
] as const;

const histories = (names: readonly StepName[]): fc.Arbitrary<readonly [Life, readonly StepName[]]> =>
  fc
    .tuple(
      fc.constantFrom(...starts),
      fc.constantFrom(...plans),
      fc.array(fc.constantFrom(...names), { maxLength: 25 }),
    )
    .map(([start, plan, chosen]) => [
      { stripe: bought(Date.parse(start), plan), tape: newTape, grants: 0 },
      chosen,
    ]);

/** Random lives of one member with one subscription. */
export const lives: fc.Arbitrary<Life> = histories([...(Object.keys(steps) as StepName[]), ...often]).map(
  ([first, names]) => names.reduce((life, name) => steps[name](life), tellNow(first)),
);

/** Time passes, and every event of Stripe is sent at the time at which it happens. */
const passPromptly = (life: Life, to: number): Life => {
  const at = nextWork(life.stripe);
  return at > to || at <= life.stripe.now || life.stripe.endedAt !== null
    ? passTime(life, to)
    : passPromptly(tellNow(passTime(life, at)), to);
};

const promptly =
  (name: StepName): Step =>
  (life) => {
    const after = steps[name](life).stripe;
    const stripe = name.startsWith('wait') ? life : { ...life, stripe: after };
    return tellNow(passPromptly(stripe, after.now));
  };

/** Of these the time at which they happened is known also when they are sent late. */
const dated: readonly StepName[] = [
  'waitFourDays',
  'waitAFortnight',
  'waitAMonth',
  'changeCard',
  'pay',
  'end',
];

/** The same life twice: everything sent at once, and everything sent at its end. */
export const promptAndLate: fc.Arbitrary<Readonly<{ prompt: Life; late: Life }>> = histories(dated).map(
  ([first, names]) => ({
    prompt: names.reduce((life, name) => promptly(name)(life), tellNow(first)),
    late: tellNow(names.reduce((life, name) => steps[name](life), first)),
  }),
);
