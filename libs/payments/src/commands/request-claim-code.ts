import { randomInt } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { handle, type EventStore, type Handle } from '@tapedeck/eventing';
import { derivedId, type AccountId } from '@tapedeck/kernel';
import { requestCommandContext } from '@tapedeck/platform/http';
import { EVENT_STORE } from '@tapedeck/platform/tokens';
import { type ClaimCommand, claimDecider, claimEvents, claimMinutes, claimStream } from '../domain/claim.ts';
import { KEYED_HASHES, type KeyedHashes } from '../http/buyer-proofs.ts';

/** Sends a code to any address; returns when the code expires. */
export class RequestClaimCode extends Command<string> {
  constructor(
    readonly accountId: AccountId,
    readonly email: string,
  ) {
    super();
  }
}

/** Six digits (docs/product-decisions.md#mail). */
const newClaimCode = (): string => String(randomInt(1_000_000)).padStart(6, '0');

@CommandHandler(RequestClaimCode)
export class RequestClaimCodeHandler implements ICommandHandler<RequestClaimCode> {
  readonly #handle: Handle<ClaimCommand>;
  readonly #hashes: KeyedHashes;

  constructor(@Inject(EVENT_STORE) store: EventStore, @Inject(KEYED_HASHES) hashes: KeyedHashes) {
    this.#handle = handle(store, claimDecider, claimEvents);
    this.#hashes = hashes;
  }

  async execute({ accountId, email }: RequestClaimCode): Promise<string> {
    const context = requestCommandContext();
    const claimId = derivedId('claim', context.commandId);
    const code = newClaimCode();
    const expiresAt = new Date(Date.parse(context.now) + claimMinutes * 60_000).toISOString();
    const claim = {
      accountId,
      claimId,
      email: email.trim(),
      emailHash: this.#hashes.ofEmail(email),
      code,
      codeHash: this.#hashes.ofCode(claimId, code),
      expiresAt,
    };
    await this.#handle(claimStream(accountId), { type: 'RequestClaimCode', claim }, context);
    return expiresAt;
  }
}
