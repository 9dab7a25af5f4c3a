import type { AccountEvent, MailSent } from '@tapedeck/identity/events';
import type { FavouriteEvent } from '@tapedeck/favourites/events';
import type { ClaimEvent } from '@tapedeck/payments/events';
import type { SavedSearchEvent } from '@tapedeck/saved-searches/events';
import type { AuditEvent } from '../audit.ts';
import type { EventTexts } from './event-texts.ts';
import { on } from './words.ts';

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

const identityTexts: EventTexts<AccountEvent> = {
  AccountRegistered: {
    lane: 'account',
    text: ({ issuer, emailVerified }) =>
      `Account registered by ${issuer}, e-mail address ${emailVerified ? '' : 'not '}verified`,
  },
  EmailChanged: {
    lane: 'account',
    text: ({ emailVerified }) => `E-mail address changed, ${emailVerified ? '' : 'not '}verified`,
  },
  ProfileCompleted: { lane: 'account', text: () => 'Profile saved' },
  RoleGranted: { lane: 'admin', text: ({ role }) => `Role ${role} granted` },
  RoleRevoked: { lane: 'admin', text: ({ role }) => `Role ${role} revoked` },
  AccountForgotten: { lane: 'account', text: () => 'Account deleted' },
};

const mailTexts: EventTexts<MailSent> = {
  MailSent: { lane: 'mail', text: ({ kind }) => `Mail sent: ${kind.replaceAll('-', ' ')}` },
};

const auditTexts: EventTexts<AuditEvent> = {
  MemberRead: { lane: 'admin', text: () => 'History read by support' },
  TimelineExported: {
    lane: 'admin',
    text: ({ events, format }) =>
      `${counted(events, 'event')} exported as ${format === 'csv' ? 'CSV' : 'JSON Lines'}`,
  },
  NoteAdded: { lane: 'admin', text: ({ isPinned }) => `${isPinned ? 'Pinned note' : 'Note'} added` },
  NoteRedacted: { lane: 'admin', text: () => 'Note redacted' },
};

const favouriteTexts: EventTexts<FavouriteEvent> = {
  FavouriteAdded: { lane: 'account', text: ({ urlId }) => `Strategy ${urlId} added to the favourites` },
  FavouriteTagsChanged: { lane: 'account', text: ({ urlId }) => `Tags of the favourite ${urlId} changed` },
  FavouriteRemoved: { lane: 'account', text: ({ urlId }) => `Strategy ${urlId} removed from the favourites` },
  FavouriteRestored: { lane: 'account', text: ({ urlId }) => `Removal of the favourite ${urlId} taken back` },
};

const savedSearchTexts: EventTexts<SavedSearchEvent> = {
  SearchSaved: { lane: 'account', text: () => 'Search saved' },
  SearchRenamed: { lane: 'account', text: () => 'Saved search renamed' },
  SearchSeen: { lane: 'account', text: () => 'New matches of a saved search seen' },
  SearchDeleted: { lane: 'account', text: () => 'Saved search deleted' },
};

const claimTexts: EventTexts<ClaimEvent> = {
  ClaimCodeRequested: {
    lane: 'mail',
    text: ({ expiresAt }) => `Code to claim a purchase sent by e-mail, valid until ${on(expiresAt)}`,
  },
  ClaimCodeFailed: {
    lane: 'account',
    text: ({ attempt }) => `Wrong code to claim a purchase, attempt ${attempt}`,
  },
  MailboxProved: { lane: 'account', text: () => 'Mailbox of a purchase proved by its code' },
};

export const accountTexts: EventTexts<
  AccountEvent | AuditEvent | MailSent | FavouriteEvent | SavedSearchEvent | ClaimEvent
> = {
  ...identityTexts,
  ...mailTexts,
  ...auditTexts,
  ...favouriteTexts,
  ...savedSearchTexts,
  ...claimTexts,
};
