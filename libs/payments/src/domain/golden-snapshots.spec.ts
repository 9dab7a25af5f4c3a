import { goldenSnapshots } from '@tapedeck/eventing/testing';
import { accountId } from '@tapedeck/kernel';
import { readdirSync, readFileSync } from 'node:fs';
import { subscriptionEvents } from '../events.ts';
import { subscriptionDecider } from './decide-subscription.ts';
import type { SubscriptionEvent } from './subscription-events.ts';

/** The golden events of the stream, in the order of their names. */
const folder = new URL('golden/', import.meta.url);
const history = readdirSync(folder)
  .map((file) => ({ type: file.replace('.v1.json', ''), file }))
  .filter(({ type }) => Object.hasOwn(subscriptionEvents, type))
  .map(
    ({ type, file }) =>
      // A golden file contains the data of its type.
      ({
        type,
        data: JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as unknown,
      }) as SubscriptionEvent,
  );

const ann = accountId('0e0d6a2e-8f0c-5d8e-9a53-3f1d6d1f3a10');
const transferredBack: SubscriptionEvent = {
  type: 'PaymentTransferred',
  data: {
    subscriptionId: 'sub_1MowQVLkdIwHu7ix',
    intentId: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    fromAccountId: null,
    fromEmailHash: 'b4c9a289',
    toAccountId: ann,
    proof: 'support',
  },
};

goldenSnapshots(subscriptionDecider, new URL('golden-snapshots/subscription.v5.json', import.meta.url), [
  ...history,
  transferredBack,
]);
