import type { GrantedTier } from '@tapedeck/plans/contract';
import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { handle, readEvents, type EventStore, type Handle } from '@tapedeck/eventing';
import { accountStream, identityEvents } from '@tapedeck/identity/events';
import { derivedId, DomainError, type AccountId } from '@tapedeck/kernel';
import { requestCommandContext } from '@tapedeck/platform/http';
import { EVENT_STORE } from '@tapedeck/platform/tokens';
import type { AccessGranted } from '../contract.ts';
import { membershipDecider, type MembershipCommand } from '../domain/decide.ts';
import { membershipEvents, membershipStream } from '../domain/membership.ts';

/** Gives an account a tier without a payment, until a time or until it is revoked. */
export class GrantComplimentaryAccess extends Command<AccessGranted> {
  constructor(
    readonly accountId: AccountId,
    readonly tier: GrantedTier,
    readonly until: string | null,
    readonly reason: string,
  ) {
    super();
  }
}

@CommandHandler(GrantComplimentaryAccess)
export class GrantComplimentaryAccessHandler implements ICommandHandler<GrantComplimentaryAccess> {
  readonly #store: EventStore;
  readonly #handle: Handle<MembershipCommand>;

  constructor(@Inject(EVENT_STORE) store: EventStore) {
    this.#store = store;
    this.#handle = handle(store, membershipDecider, membershipEvents);
  }

  async execute({ accountId, tier, until, reason }: GrantComplimentaryAccess): Promise<AccessGranted> {
    await this.#assertExists(accountId);
    const context = requestCommandContext();
    const grantId = derivedId('complimentary access', context.commandId);
    const end = until && new Date(until).toISOString();
    const grant = { accountId, grantId, tier, until: end, reason, now: context.now };
    await this.#handle(membershipStream(accountId), { type: 'GrantComplimentaryAccess', ...grant }, context);
    return { grantId, tier, until: end };
  }

  async #assertExists(account: AccountId): Promise<void> {
    const events = await readEvents(this.#store, accountStream(account), identityEvents);
    if (events.length > 0 && events.every(({ type }) => type !== 'AccountForgotten')) return;
    throw new DomainError(
      'not-found',
      'ACCOUNT_NOT_FOUND',
      'There is no such account, or it was deleted: search for the member again.',
    );
  }
}
