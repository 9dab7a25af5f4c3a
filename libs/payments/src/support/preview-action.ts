import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { readable } from '@tapedeck/eventing';
import { isoNow, newId, type AccountId, type Clock } from '@tapedeck/kernel';
import { AccountNames } from '@tapedeck/platform/http';
import { CLOCK, CONFIG } from '@tapedeck/platform/tokens';
import { sumOf } from '../domain/money-actions/refundable.ts';
import type { PaymentsApiConfig } from '../settings.ts';
import type { ActionPreview } from '../wire/money.ts';
import { shownForMs } from '../http/signed-texts.ts';
import { CONFIRMATIONS, type Confirmations } from './confirmations.ts';
import { PLANNED_ACTIONS, type PlannedAction, type PlannedActions, type Wanted } from './planned-actions.ts';

/** What an action of support would do now. */
export class PreviewAction extends Query<ActionPreview> {
  constructor(
    readonly wanted: Wanted,
    /** Who sees it, and can confirm it. */
    readonly by: AccountId,
    readonly proposalId: string | null = null,
  ) {
    super();
  }
}

/** The card that is charged, be it now or at renewals of what another account gets. */
const cardOf = ({ action, state }: PlannedAction): ActionPreview['card'] => {
  const isConcerned =
    action.kind === 'attach' || action.kind === 'transfer'
      ? action.toAccountId !== state.payer?.accountId
      : action.kind === 'retry';
  const card = isConcerned && state.observed ? readable(state.observed.card, null) : null;
  return card && { brand: card.brand, last4: card.last4 };
};

@QueryHandler(PreviewAction)
export class PreviewActionHandler implements IQueryHandler<PreviewAction> {
  readonly #planned: PlannedActions;
  readonly #confirmations: Confirmations;
  readonly #clock: Clock;
  readonly #config: PaymentsApiConfig;
  readonly #accounts: AccountNames;

  constructor(
    @Inject(PLANNED_ACTIONS) planned: PlannedActions,
    @Inject(CONFIRMATIONS) confirmations: Confirmations,
    @Inject(CLOCK) clock: Clock,
    @Inject(CONFIG) config: PaymentsApiConfig,
    accounts: AccountNames,
  ) {
    this.#planned = planned;
    this.#confirmations = confirmations;
    this.#clock = clock;
    this.#config = config;
    this.#accounts = accounts;
  }

  async execute({ wanted, by, proposalId }: PreviewAction): Promise<ActionPreview> {
    const at = isoNow(this.#clock);
    const planned = await this.#planned(wanted, at);
    const { refunds, refundable, charge, endsAt, currency, needsApproval } = planned.plan;
    const names = await this.#accounts.of(planned.access.map(({ accountId }) => accountId));
    const expiresAt = new Date(this.#clock.now() + shownForMs).toISOString();
    const { accountId, subscriptionId, action } = wanted;
    const shown = { subscriptionId, accountId, action, proposalId, at, hash: planned.hash, by };
    return {
      subscriptionId,
      action,
      currency,
      refunds: refunds.map(({ invoiceId, amount }, index) => ({
        invoiceId,
        amount,
        refundable: refundable[index]?.amount ?? 0,
      })),
      refunded: sumOf(refunds),
      charged: charge?.amount ?? null,
      card: cardOf(planned),
      endsAt,
      access: planned.access.map((change) => ({
        ...change,
        accountName: names.get(change.accountId) ?? null,
      })),
      needsApproval,
      limit: this.#config.APPROVAL_ABOVE_AMOUNT,
      previewId: this.#confirmations.sign({ ...shown, nonce: newId(), expiresAt }),
      expiresAt,
    };
  }
}
