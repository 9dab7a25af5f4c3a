import type { DomainEvent, Personal } from '@tapedeck/eventing/core';
import type { AccountId } from '@tapedeck/kernel';

/** A code was asked for by a signed-in account, to prove that it receives mail at the address (docs/product-decisions.md#mail). */
export type ClaimCodeRequested = DomainEvent<
  'ClaimCodeRequested',
  {
    accountId: AccountId;
    claimId: string;
    email: Personal<string>;
    emailHash: string;
    /** Keyed hash of claim id and code. */
    codeHash: string;
    /** The code itself, for the mail only. */
    code: Personal<string>;
    expiresAt: string;
  }
>;

export type ClaimCodeFailed = DomainEvent<
  'ClaimCodeFailed',
  { accountId: AccountId; claimId: string; attempt: number }
>;

/** The code was right: for a while the account may claim what this address has paid. */
export type MailboxProved = DomainEvent<
  'MailboxProved',
  { accountId: AccountId; claimId: string; emailHash: string; until: string }
>;

export type ClaimEvent = ClaimCodeRequested | ClaimCodeFailed | MailboxProved;
