import {
  commandTarget,
  defineEvents,
  type Decider,
  type DomainEvent,
  type Personal,
} from '@tapedeck/eventing/core';
import { DomainError, type AccountId } from '@tapedeck/kernel';

/** A signed-in account has requested a code, to prove that it receives mail at the address (docs/product-decisions.md#mail). */
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

export const claimEvents = defineEvents<ClaimEvent>({
  ClaimCodeRequested: { version: 1, personal: ['email', 'code'], subject: 'accountId' },
  ClaimCodeFailed: { version: 1 },
  MailboxProved: { version: 1 },
});

export const claimStream = (accountId: AccountId): string => `claim-${accountId}`;

/** docs/product-decisions.md#mail */
export const maxClaimAttempts = 6;
export const claimMinutes = 30;

type OpenCode = Readonly<{
  claimId: string;
  codeHash: string;
  emailHash: string;
  expiresAt: string;
  failures: number;
}>;

/** The codes of one account: one at a time is open. */
export type Claims = Readonly<{
  open: OpenCode | null;
  /** Until when the account may claim what these addresses have paid, by hash of the address. */
  proved: Readonly<Record<string, string>>;
}>;

/** `codeHash` is the keyed hash of claim id and code: the rule itself sees no code. */
export type RequestClaimCode = Readonly<{ type: 'RequestClaimCode'; claim: ClaimCodeRequested['data'] }>;
export type EnterClaimCode = Readonly<{
  type: 'EnterClaimCode';
  accountId: AccountId;
  /** The open code that the hash was made for. */
  claimId: string;
  codeHash: string;
  now: string;
  /** Until when the mailbox counts as proved. */
  until: string;
}>;
export type ClaimCommand = RequestClaimCode | EnterClaimCode;

/** Hashes of the addresses whose purchases the account may claim now. */
export const provedHashes = ({ proved }: Claims, now: string): readonly string[] =>
  Object.keys(proved).filter((emailHash) => (proved[emailHash] ?? '') > now);

const unusable = (code: string, message: string): DomainError =>
  new DomainError('unprocessable', code, message);

/** A wrong code is recorded: the caller sees by the state whether the mailbox is proved. */
const enter = (command: EnterClaimCode, { open }: Claims): readonly ClaimEvent[] => {
  const { accountId, claimId, codeHash, now, until } = command;
  if (!open || open.claimId !== claimId) {
    throw unusable('CLAIM_CODE_MISSING', 'There is no open code: ask for a new one.');
  }
  if (open.expiresAt <= now) throw unusable('CLAIM_CODE_EXPIRED', 'The code has expired: ask for a new one.');
  if (open.failures >= maxClaimAttempts) {
    throw unusable('CLAIM_CODE_BLOCKED', 'The code was wrong too often: ask for a new one.');
  }
  return codeHash === open.codeHash
    ? [{ type: 'MailboxProved', data: { accountId, claimId, emailHash: open.emailHash, until } }]
    : [{ type: 'ClaimCodeFailed', data: { accountId, claimId, attempt: open.failures + 1 } }];
};

const decide = (command: ClaimCommand, state: Claims): readonly ClaimEvent[] => {
  switch (command.type) {
    case 'RequestClaimCode':
      return state.open?.claimId === command.claim.claimId
        ? []
        : [{ type: 'ClaimCodeRequested', data: command.claim }];
    case 'EnterClaimCode':
      return enter(command, state);
    default:
      return command satisfies never;
  }
};

const evolve = (state: Claims, event: ClaimEvent): Claims => {
  switch (event.type) {
    case 'ClaimCodeRequested': {
      const { claimId, codeHash, emailHash, expiresAt } = event.data;
      return { ...state, open: { claimId, codeHash, emailHash, expiresAt, failures: 0 } };
    }
    case 'ClaimCodeFailed':
      return { ...state, open: state.open && { ...state.open, failures: event.data.attempt } };
    case 'MailboxProved': {
      const { emailHash, until } = event.data;
      return { open: null, proved: { ...state.proved, [emailHash]: until } };
    }
    default:
      return event satisfies never;
  }
};

export const claimDecider: Decider<Claims, ClaimCommand, ClaimEvent> = {
  initialState: { open: null, proved: {} },
  decide,
  evolve,
};

export const claims = commandTarget(claimDecider, claimEvents);
