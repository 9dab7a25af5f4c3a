import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { handle, waitForOutcome, type EventStore, type Handle } from '@tapedeck/eventing';
import { derivedId, type AccountId } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { requestCommandContext } from '@tapedeck/platform/http';
import { DATABASES, EVENT_STORE } from '@tapedeck/platform/tokens';
import type { BillingChange } from '../contract.ts';
import { type SubscriptionCommand, subscriptionDecider } from '../domain/decide-subscription.ts';
import { type StripeRequest, subscriptionEvents, subscriptionStream } from '../domain/subscription-events.ts';
import type { Subscription } from '../domain/subscription.ts';
import { changeMessage, refusalMessage } from '../domain/texts.ts';
import { namedSubscriptionOf } from '../projections/subscriptions.ts';

/** Requests a change of the account's subscription at Stripe, and waits a while for the outcome. */
export class RequestBillingChange extends Command<BillingChange> {
  constructor(
    readonly accountId: AccountId,
    readonly request: StripeRequest,
    readonly options: Readonly<{
      comment?: string | null;
      signal?: AbortSignal;
      /** One of several subscriptions of the account. */
      subscriptionId?: string | undefined;
    }> = {},
  ) {
    super();
  }
}

/** The browser waits for the answer; after this time the screen follows the change by itself. */
const maxWaitMs = 8_000;

const answerOf = (
  state: Subscription,
  requestId: string,
  request: StripeRequest,
): BillingChange | undefined => {
  const recorded = state.requests[requestId];
  switch (recorded?.outcome) {
    case 'requested':
    case 'repeated':
      return undefined;
    case 'refused':
      return {
        state: 'refused',
        message: refusalMessage(recorded.refusal?.code ?? '', request.kind),
        fixUrl: recorded.refusal?.fixUrl ?? null,
      };
    // No request was recorded when Stripe already had what was wanted.
    case 'completed':
    case undefined:
      return { state: 'done', message: changeMessage(request, state), fixUrl: null };
  }
};

const stillProcessing: BillingChange = {
  state: 'processing',
  message: 'This is taking longer than usual. You can leave the page: it will be done.',
  fixUrl: null,
};

@CommandHandler(RequestBillingChange)
export class RequestBillingChangeHandler implements ICommandHandler<RequestBillingChange> {
  readonly #databases: Databases;
  readonly #handle: Handle<SubscriptionCommand, Subscription>;
  readonly #store: EventStore;

  constructor(@Inject(DATABASES) databases: Databases, @Inject(EVENT_STORE) store: EventStore) {
    this.#databases = databases;
    this.#handle = handle(store, subscriptionDecider, subscriptionEvents);
    this.#store = store;
  }

  async execute({ accountId, request, options }: RequestBillingChange): Promise<BillingChange> {
    const subscriptionId = await namedSubscriptionOf(
      this.#databases.tapedeck,
      accountId,
      options.subscriptionId,
    );
    const stream = subscriptionStream(subscriptionId);
    const context = requestCommandContext();
    const requestId = derivedId('stripe write', context.commandId);
    const { comment = null, signal } = options;
    const command = { type: 'RequestStripeChange', requestId, request, comment, by: accountId } as const;
    const { state } = await this.#handle(stream, command, context);
    const answer =
      answerOf(state, requestId, request) ??
      (await waitForOutcome(this.#store, subscriptionDecider, {
        stream,
        types: ['StripeWriteCompleted', 'StripeWriteRefused'],
        outcomeOf: (current) => answerOf(current, requestId, request),
        maxWaitMs,
        ...(signal && { signal }),
      }));
    // The outcome is recorded elsewhere: what the client reads next contains it.
    if (answer) context.onPosition?.(await this.#store.head());
    return answer ?? stillProcessing;
  }
}
