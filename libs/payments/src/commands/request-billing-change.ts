import { setTimeout } from 'node:timers/promises';
import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { handle, type EventStore, type Handle } from '@tapedeck/eventing';
import { derivedId, type AccountId } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { requestCommandContext } from '@tapedeck/platform/http';
import { DATABASES, EVENT_STORE } from '@tapedeck/platform/tokens';
import { subscriptions } from '../effects/command-targets.ts';
import type { BillingChange } from '../contract.ts';
import { subscriptionDecider } from '../domain/decide-subscription.ts';
import type { SubscriptionCommand } from '../domain/subscription-commands.ts';
import type { StripeWrite } from '../domain/subscription-events.ts';
import type { Subscription } from '../domain/subscription.ts';
import { changeMessage, refusalMessage } from '../domain/texts.ts';
import { subscriptionEvents, subscriptionStream } from '../events.ts';
import { liveSubscriptionOf, noSubscription } from '../queries/live-subscription.ts';
import { READ_STREAM, type ReadStreamNow } from '../effects/send-dispatches.ts';

/** Asks for a change of the account's subscription at Stripe, and waits a while for the outcome. */
export class RequestBillingChange extends Command<BillingChange> {
  constructor(
    readonly accountId: AccountId,
    readonly write: StripeWrite,
    readonly comment: string | null = null,
  ) {
    super();
  }
}

/** The browser waits for the answer; after this time the screen follows the change by itself. */
const maxWaitMs = 8_000;
const pollIntervalMs = 60;

const answerOf = (state: Subscription, requestId: string, write: StripeWrite): BillingChange | undefined => {
  const request = state.requests[requestId];
  switch (request?.outcome) {
    case 'requested':
      return undefined;
    case 'refused':
      return {
        state: 'refused',
        message: refusalMessage(request.refusal?.code ?? '', write.kind),
        fixUrl: request.refusal?.fixUrl ?? null,
      };
    // Without a request Stripe already had what was wanted.
    case 'completed':
    case undefined:
      return { state: 'done', message: changeMessage(write, state), fixUrl: null };
  }
};

@CommandHandler(RequestBillingChange)
export class RequestBillingChangeHandler implements ICommandHandler<RequestBillingChange> {
  readonly #databases: Databases;
  readonly #handle: Handle<SubscriptionCommand, Subscription>;
  readonly #read: ReadStreamNow;

  constructor(
    @Inject(DATABASES) databases: Databases,
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(READ_STREAM) read: ReadStreamNow,
  ) {
    this.#databases = databases;
    this.#handle = handle(store, subscriptionDecider, subscriptionEvents);
    this.#read = read;
  }

  async execute({ accountId, write, comment }: RequestBillingChange): Promise<BillingChange> {
    const subscriptionId = await liveSubscriptionOf(this.#databases.tapedeck, accountId);
    if (subscriptionId === undefined) throw noSubscription();
    const stream = subscriptionStream(subscriptionId);
    const context = requestCommandContext();
    const requestId = derivedId('stripe write', context.commandId);
    const { state } = await this.#handle(
      stream,
      { type: 'RequestWrite', requestId, write, comment, by: accountId },
      context,
    );
    let current = state;
    for (const deadline = performance.now() + maxWaitMs; ;) {
      const answer = answerOf(current, requestId, write);
      if (answer) return answer;
      if (performance.now() > deadline)
        return {
          state: 'processing',
          message: 'This takes longer than usual. You can leave the page: it will be done.',
          fixUrl: null,
        };
      await setTimeout(pollIntervalMs);
      current = await this.#read(subscriptions, stream);
    }
  }
}
