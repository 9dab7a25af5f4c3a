import { expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { replayRoutes, type ReplayPlan } from '@tapedeck/replay/contract';
import { outsideOf } from './buyers.ts';
import { replaysOf, type ReplayScene } from './replays.ts';

const keysOf = ({ outside }: ReplayPlan): readonly string[] => outside.map(({ key }) => key);

/** The requests to Stripe that wait after a replay for a person. */
export const describeParkedRequests = (scene: () => ReplayScene): void => {
  const { lostBuyer, tryReplay, apply } = replaysOf(scene);

  it('a replay sends of the parked requests only those that are chosen, each once, and says which', async () => {
    const { product, support } = scene();
    const lost = await lostBuyer();
    const { email, member, subscription } = lost;
    expect((await member.send('DELETE', '/api/account', { confirmation: email })).status).toBe(204);
    await product.settled();
    const target = { kind: 'subscription', subscriptionId: subscription } as const;
    await apply(await tryReplay({ mode: 'reread', target }));
    await product.settled();
    const before = await outsideOf(product);

    const plan = await tryReplay({ mode: 'retry', target });
    expect(plan).toMatchObject({ eventCount: 0, released: 0, isEmpty: false });
    expect(plan.outside.map(({ kind, effect, isHeld }) => `${kind} ${effect} ${isHeld}`).toSorted()).toEqual([
      'stripe payments-of-closed-accounts true',
      'stripe stripe-writes true',
      'stripe stripe-writes true',
    ]);
    await apply(plan, 'Only looked at.');
    await product.settled();
    expect(await outsideOf(product)).toEqual(before);

    const again = await tryReplay({ mode: 'retry', target });
    expect(again.outside).toEqual(plan.outside);
    const refund = again.outside.find(({ text }) => /refund/i.test(text));
    const confirmed = { fingerprint: again.fingerprint, reason: 'Ann wants her money back.' };
    expect(
      await support.send('POST', replayRoutes.apply(again.replayId), {
        ...confirmed,
        releases: ['stripe-writes/1'],
      }),
    ).toMatchObject({ status: 422, body: { code: 'RELEASE_UNKNOWN' } });
    const releases = [String(refund?.key)];
    const send = () => support.send('POST', replayRoutes.apply(again.replayId), { ...confirmed, releases });
    expect((await Promise.all([send(), send()])).map(({ status }) => status)).toEqual([200, 200]);
    const refunds = async () => {
      const invoices = await product.stripe.invoices.list({ subscription, limit: 1 });
      const paid = await product.stripe.invoicePayments.list({ invoice: String(invoices.data[0]?.id) });
      const intent = String(paid.data[0]?.payment.payment_intent);
      return (await product.stripe.refunds.list({ payment_intent: intent })).data.length;
    };
    await eventually(async () => expect(await refunds()).toBe(1));
    await product.settled();
    expect(keysOf(await tryReplay({ mode: 'retry', target })).toSorted()).toEqual(
      keysOf(plan)
        .filter((key) => key !== refund?.key)
        .toSorted(),
    );
    expect((await product.stripe.subscriptions.retrieve(subscription)).status).toBe('active');
    const { rows } = await product.product.databases.tapedeck.query<{ text: string }>(
      `select text from audit_timeline where correlation_id = $1 and type = 'ReplayApplied'`,
      [again.replayId],
    );
    expect(rows[0]?.text).toContain('has 1 request to Stripe sent');
  });
};
