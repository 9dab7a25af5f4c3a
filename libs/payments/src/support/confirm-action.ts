import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  handle,
  readEvents,
  readable,
  readStates,
  waitForOutcome,
  type CommandContext,
  type EventStore,
  type Handle,
  type ReadStream,
} from '@tapedeck/eventing';
import { accountId, derivedId, type AccountId } from '@tapedeck/kernel';
import { requestCommandContext } from '@tapedeck/platform/http';
import { EVENT_STORE } from '@tapedeck/platform/tokens';
import {
  subscriptionDecider,
  subscriptions,
  type SubscriptionCommand,
} from '../domain/decide-subscription.ts';
import { planText } from '../domain/money-actions/plan-action.ts';
import { actionStateOf, processingAction } from '../domain/money-actions/texts.ts';
import { subscriptionEvents, subscriptionStream } from '../domain/subscription-events.ts';
import type { Subscription } from '../domain/subscription.ts';
import type { ActionOutcome } from '../wire/money.ts';
import {
  assertShownFor,
  assertUnchanged,
  CONFIRMATIONS,
  type Confirmations,
  type ShownAction,
} from './confirmations.ts';
import { PLANNED_ACTIONS, type PlannedAction, type PlannedActions } from './planned-actions.ts';

/** Does what was shown, or proposes it; or, with a `proposalId`, approves it. Waits a while for Stripe. */
export class ConfirmAction extends Command<ActionOutcome> {
  constructor(
    readonly confirmation: Readonly<{
      previewId: string;
      reason: string;
      by: AccountId;
      /** The member on whose page it is; undefined for a proposal. */
      accountId: AccountId | undefined;
      proposalId: string | null;
    }>,
    readonly signal?: AbortSignal,
  ) {
    super();
  }
}

/** The browser waits for the answer; after this time the screen follows by itself. */
const maxWaitMs = 8_000;

type Confirmation = ConfirmAction['confirmation'];

@CommandHandler(ConfirmAction)
export class ConfirmActionHandler implements ICommandHandler<ConfirmAction> {
  readonly #store: EventStore;
  readonly #planned: PlannedActions;
  readonly #confirmations: Confirmations;
  readonly #handle: Handle<SubscriptionCommand, Subscription>;
  readonly #read: ReadStream;

  constructor(
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(PLANNED_ACTIONS) planned: PlannedActions,
    @Inject(CONFIRMATIONS) confirmations: Confirmations,
  ) {
    this.#store = store;
    this.#planned = planned;
    this.#confirmations = confirmations;
    this.#handle = handle(store, subscriptionDecider, subscriptionEvents);
    this.#read = readStates(store);
  }

  async execute({ confirmation, signal }: ConfirmAction): Promise<ActionOutcome> {
    const context = requestCommandContext();
    const { previewId, proposalId, by } = confirmation;
    const shown = this.#confirmations.open(previewId, context.now);
    assertShownFor(shown, { accountId: confirmation.accountId ?? shown.accountId, proposalId, by });
    const actionId = proposalId ?? derivedId('money action', previewId);
    const state = await this.#confirmed(actionId, shown, confirmation, context);
    return this.#outcome(actionId, shown, state, context, signal);
  }

  /** The state of the subscription after it; what was confirmed before is not done again. */
  async #confirmed(
    actionId: string,
    shown: ShownAction,
    confirmation: Confirmation,
    context: CommandContext,
  ): Promise<Subscription> {
    const stream = subscriptionStream(shown.subscriptionId);
    const begun = async (): Promise<Subscription | undefined> => {
      const state = await this.#read(subscriptions, stream);
      const isProposed = confirmation.proposalId === null && state.proposals[actionId] !== undefined;
      return isProposed || state.actions[actionId] ? state : undefined;
    };
    const before = await begun();
    if (before) return before;
    try {
      const planned = await this.#plannedAsShown(shown);
      const command = await this.#command(actionId, planned, confirmation, context, stream);
      return (await this.#handle(stream, command, context)).state;
    } catch (error) {
      // The same confirmation, sent twice, may have changed what was shown.
      const meanwhile = await begun();
      if (meanwhile) return meanwhile;
      throw error;
    }
  }

  /** @throws DomainError when it would be something else now */
  async #plannedAsShown(shown: ShownAction): Promise<PlannedAction> {
    const planned = await this.#planned({ ...shown, accountId: accountId(shown.accountId) }, shown.at);
    assertUnchanged(shown, planned);
    return planned;
  }

  async #command(
    actionId: string,
    { action, plan, options }: PlannedAction,
    { proposalId, by, reason }: Confirmation,
    { now }: CommandContext,
    stream: string,
  ): Promise<SubscriptionCommand> {
    const confirmed = { ...options, shown: planText(plan), by, reason, now };
    if (proposalId === null) return { type: 'TakeMoneyAction', actionId, action, ...confirmed };
    const takenFor = await this.#reasonOf(proposalId, stream);
    return { type: 'ApproveMoneyAction', proposalId, takenFor, ...confirmed };
  }

  async #reasonOf(proposalId: string, stream: string): Promise<string | null> {
    const events = await readEvents(this.#store, stream, subscriptionEvents);
    const proposed = events.find(
      (event) => event.type === 'MoneyActionProposed' && event.data.proposalId === proposalId,
    );
    return proposed?.type === 'MoneyActionProposed' ? readable(proposed.data.reason, null) : null;
  }

  async #outcome(
    actionId: string,
    { subscriptionId }: ShownAction,
    state: Subscription,
    context: CommandContext,
    signal: AbortSignal | undefined,
  ): Promise<ActionOutcome> {
    const answer =
      actionStateOf(state, actionId) ??
      (await waitForOutcome(this.#store, subscriptionDecider, {
        stream: subscriptionStream(subscriptionId),
        types: ['StripeWriteCompleted', 'StripeWriteRefused'],
        outcomeOf: (current) => actionStateOf(current, actionId),
        maxWaitMs,
        ...(signal && { signal }),
      }));
    // The outcome is recorded elsewhere: what the client reads next contains it.
    if (answer) context.onPosition?.(await this.#store.head());
    return answer ?? processingAction;
  }
}
