import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type EventStore, handle, type Handle, readStates, type ReadStream } from '@tapedeck/eventing';
import { DomainError, type AccountId } from '@tapedeck/kernel';
import { requestCommandContext } from '@tapedeck/platform/http';
import { EVENT_STORE } from '@tapedeck/platform/tokens';
import {
  type ClaimCommand,
  claimDecider,
  claimEvents,
  claimMinutes,
  claims,
  type Claims,
  claimStream,
  maxClaimAttempts,
} from '../domain/claim.ts';
import { KEYED_HASHES, type KeyedHashes } from '../http/buyer-proofs.ts';

/** Proves by a code that mail to an address reaches the account. */
export class EnterClaimCode extends Command<void> {
  constructor(
    readonly accountId: AccountId,
    readonly code: string,
  ) {
    super();
  }
}

const wrong = (left: number): DomainError =>
  new DomainError(
    'unprocessable',
    'CLAIM_CODE_WRONG',
    left > 0
      ? `The code is not right: check the newest e-mail. ${left === 1 ? 'One try is' : `${left} tries are`} left.`
      : 'The code was wrong too often: ask for a new one.',
  );

@CommandHandler(EnterClaimCode)
export class EnterClaimCodeHandler implements ICommandHandler<EnterClaimCode> {
  readonly #handle: Handle<ClaimCommand, Claims>;
  readonly #read: ReadStream;
  readonly #hashes: KeyedHashes;

  constructor(@Inject(EVENT_STORE) store: EventStore, @Inject(KEYED_HASHES) hashes: KeyedHashes) {
    this.#handle = handle(store, claimDecider, claimEvents);
    this.#read = readStates(store);
    this.#hashes = hashes;
  }

  async execute({ accountId, code }: EnterClaimCode): Promise<void> {
    const stream = claimStream(accountId);
    const context = requestCommandContext({ part: 'code' });
    const before = await this.#read(claims, stream);
    const claimId = before.open?.claimId ?? '';
    const until = new Date(Date.parse(context.now) + claimMinutes * 60_000).toISOString();
    const { state } = await this.#handle(
      stream,
      {
        type: 'EnterClaimCode',
        accountId,
        claimId,
        codeHash: this.#hashes.ofCode(claimId, code),
        now: context.now,
        until,
      },
      context,
    );
    if (state.open?.claimId === claimId) throw wrong(maxClaimAttempts - state.open.failures);
  }
}
