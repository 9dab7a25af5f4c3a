import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  type CommandContext,
  type EventStore,
  handle,
  type Handle,
  readStates,
  type ReadStream,
} from '@tapedeck/eventing';
import { DomainError, type AccountId } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { requestCommandContext } from '@tapedeck/platform/http';
import { DATABASES, EVENT_STORE } from '@tapedeck/platform/tokens';
import { claims, claimStream, provedHashes } from '../domain/claim.ts';
import type { LinkedPayment } from '../contract.ts';
import { type SubscriptionCommand, subscriptionDecider } from '../domain/decide-subscription.ts';
import { type ClaimProof, subscriptionEvents, subscriptionStream } from '../domain/subscription-events.ts';
import { isSameHash, KEYED_HASHES, type KeyedHashes } from '../http/buyer-proofs.ts';
import type { CheckoutRow } from '../projections/checkouts.ts';
import { liveSubscriptionOf } from '../projections/subscriptions.ts';

/** Gives an account a purchase that it can prove to have made. */
export class LinkPayment extends Command<LinkedPayment> {
  constructor(
    readonly claimant: Readonly<{ accountId: AccountId; email: string; claimSecretHash: string | undefined }>,
    /** Otherwise any purchase that the account can prove. */
    readonly sessionId: string | undefined,
  ) {
    super();
  }
}

type Candidate = Pick<
  CheckoutRow,
  'intent_id' | 'account_id' | 'email_hash' | 'claim_secret_hash' | 'tier' | 'period' | 'subscription_id'
>;

type Evidence = Readonly<{
  accountId: AccountId;
  claimSecretHash: string | undefined;
  /** Of addresses whose mailbox is the account's. */
  emailHashes: readonly string[];
}>;

type Found = Readonly<{ candidate: Candidate; proof: ClaimProof }>;

/** A refusal that says nothing of the account's other purchases. */
const isOfPurchase = ({ code }: DomainError): boolean =>
  ['PURCHASE_ENDED', 'PURCHASE_OF_ANOTHER_PLAN', 'PURCHASE_CLAIMED', 'PAYMENT_PROCESSING'].includes(code);

const columns = 'intent_id, account_id, email_hash, claim_secret_hash, tier, period, subscription_id';

const proofOf = (
  candidate: Candidate,
  { accountId, claimSecretHash, emailHashes }: Evidence,
): ClaimProof | null => {
  if (candidate.account_id === accountId) return 'checkout';
  const secret = candidate.claim_secret_hash;
  if (secret !== null && claimSecretHash !== undefined && isSameHash(secret, claimSecretHash))
    return 'browser';
  return emailHashes.includes(candidate.email_hash) ? 'mailbox' : null;
};

const notFound = (): DomainError =>
  new DomainError(
    'not-found',
    'PURCHASE_NOT_FOUND',
    'There is no purchase to link: check the e-mail address that paid, or contact support.',
  );

const processing = (): DomainError =>
  new DomainError(
    'conflict',
    'PAYMENT_PROCESSING',
    'The payment is still being processed: try again in a minute.',
  );

const unproved = (): DomainError =>
  new DomainError(
    'forbidden',
    'CLAIM_NOT_PROVED',
    'This purchase was begun in another browser: in My Account, ask for a code to be sent to the e-mail address that paid.',
  );

@CommandHandler(LinkPayment)
export class LinkPaymentHandler implements ICommandHandler<LinkPayment> {
  readonly #databases: Databases;
  readonly #handle: Handle<SubscriptionCommand>;
  readonly #read: ReadStream;
  readonly #hashes: KeyedHashes;

  constructor(
    @Inject(DATABASES) databases: Databases,
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(KEYED_HASHES) hashes: KeyedHashes,
  ) {
    this.#databases = databases;
    this.#handle = handle(store, subscriptionDecider, subscriptionEvents);
    this.#read = readStates(store);
    this.#hashes = hashes;
  }

  async execute({ claimant, sessionId }: LinkPayment): Promise<LinkedPayment> {
    const { accountId, email, claimSecretHash } = claimant;
    const context = requestCommandContext({ part: 'claim' });
    const own = this.#hashes.ofEmail(email);
    const proved = provedHashes(await this.#read(claims, claimStream(accountId)), context.now);
    const evidence = { accountId, claimSecretHash, emailHashes: [own, ...proved] };
    const found = await this.#find(evidence, sessionId);
    for (const [index, one] of found.entries()) {
      try {
        return await this.#claim(claimant, one, context);
      } catch (error) {
        // The newest purchase may have ended, or be for another plan; an earlier one need not.
        if (index === found.length - 1 || !(error instanceof DomainError) || !isOfPurchase(error))
          throw error;
      }
    }
    throw notFound();
  }

  async #claim(
    { accountId, email }: LinkPayment['claimant'],
    { candidate, proof }: Found,
    context: CommandContext,
  ): Promise<LinkedPayment> {
    const own = this.#hashes.ofEmail(email);
    const { subscription_id: subscriptionId, tier, period, intent_id: intentId } = candidate;
    if (subscriptionId === null) throw processing();
    const live = await liveSubscriptionOf(this.#databases.tapedeck, accountId);
    const isTransferred = candidate.email_hash !== own && candidate.account_id === null;
    await this.#handle(
      subscriptionStream(subscriptionId),
      {
        type: 'ClaimPurchase',
        accountId,
        intentId,
        plan: { tier, period },
        proof,
        emailHash: candidate.email_hash,
        isOwnAddress: !isTransferred,
        hasOtherSubscription: live !== undefined && live !== subscriptionId,
        now: context.now,
      },
      context,
    );
    return { emailTransferred: isTransferred, to: email, tier };
  }

  async #find(evidence: Evidence, sessionId: string | undefined): Promise<readonly Found[]> {
    const rows = sessionId === undefined ? await this.#unclaimed(evidence) : await this.#ofSession(sessionId);
    if (rows.length === 0) throw notFound();
    const found = rows.flatMap((candidate) => {
      const proof = proofOf(candidate, evidence);
      return proof ? [{ candidate, proof }] : [];
    });
    if (found.length === 0) throw unproved();
    return found;
  }

  async #ofSession(sessionId: string): Promise<readonly Candidate[]> {
    const { rows } = await this.#databases.tapedeck.query<Candidate>(
      `select ${columns} from checkouts where session_id = $1`,
      [sessionId],
    );
    return rows;
  }

  async #unclaimed({ emailHashes, claimSecretHash }: Evidence): Promise<readonly Candidate[]> {
    const { rows } = await this.#databases.tapedeck.query<Candidate>(
      `select ${columns
        .split(', ')
        .map((column) => `c.${column}`)
        .join(', ')}
         from checkouts c join unclaimed_purchases u using (intent_id)
        where c.email_hash = any($1) or c.claim_secret_hash = $2
        order by u.paid_at desc`,
      [emailHashes, claimSecretHash ?? null],
    );
    return rows;
  }
}
