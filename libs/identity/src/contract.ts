import * as z from 'zod';

export const CurrentUser = z
  .object({
    id: z.string(),
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    email: z.string(),
    discordEmail: z.string().nullable(),
    tradingViewUsername: z.string().nullable(),
    profileImageUrl: z.string().nullable(),
    createdAt: z.string(),
  })
  .meta({ id: 'CurrentUser' });
export type CurrentUser = z.infer<typeof CurrentUser>;

/**
 * Who is signed in: the answer for everybody, so that a visitor's browser reports no failed request. `GET /api/auth/user`
 * and every other query that needs a session answer 401 without one.
 */
export const OptionalUser = z
  .object({
    user: z
      .object({ ...CurrentUser.shape, isAdmin: z.boolean(), isSupport: z.boolean() })
      .nullable()
      .describe('null for a visitor'),
  })
  .meta({ id: 'OptionalUser' });
export type OptionalUser = z.infer<typeof OptionalUser>;
export type SignedInUser = NonNullable<OptionalUser['user']>;

/** This module's part of `GET /api/config`. */
export const IdentityClientConfig = z.object({
  billingPortalUrl: z.string(),
  signInHints: z
    .array(z.object({ label: z.string(), email: z.string() }))
    .describe('accounts of a sandbox provider that sign in by one click; empty elsewhere'),
});
export type IdentityClientConfig = z.infer<typeof IdentityClientConfig>;

export const identityRoutes = {
  user: '/api/auth/user',
  optionalUser: '/api/auth/session',
  login: '/api/login',
  loginCallback: '/api/login/callback',
  logout: '/api/logout',
  adminStatus: '/api/auth/admin-status',
  completeProfile: '/api/complete-profile',
  sessions: '/api/sessions',
  session: (id: string) => `/api/sessions/${id}`,
  account: '/api/account',
  sentMails: '/api/account/mails',
  sentMail: (id: string) => `/api/account/mails/${id}`,
} as const;

export const roles = ['support', 'admin'] as const;
export const Role = z.enum(roles);
/** Every account is a member; these are granted. */
export type Role = z.infer<typeof Role>;

export const AdminStatus = z
  .object({ isAdmin: z.boolean(), isSupport: z.boolean() })
  .meta({ id: 'AdminStatus' });
export type AdminStatus = z.infer<typeof AdminStatus>;

const required = 'Please fill in all required fields.';
const profileField = (maxLength: number): z.ZodString =>
  z
    .string({ error: required })
    .trim()
    .min(1, { error: required, abort: true })
    .max(maxLength, { error: `Please enter at most ${maxLength} characters.`, abort: true });

// Not linear: the length is checked first.
const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Both steps of the profile form: the first time, and `Update Profile`. */
export const ProfileBody = z
  .object({
    discordEmail: profileField(254).refine((text) => emailPattern.test(text), {
      error: 'Please enter a valid email address.',
    }),
    tradingViewUsername: profileField(100),
  })
  .meta({ id: 'ProfileBody' });
export type ProfileBody = z.infer<typeof ProfileBody>;

export const Profile = z
  .object({ discordEmail: z.string(), tradingViewUsername: z.string() })
  .meta({ id: 'Profile' });
export type Profile = z.infer<typeof Profile>;

export const SessionInfo = z
  .object({
    /** Names the session, and opens nothing. */
    id: z.string(),
    startedAt: z.string(),
    /** Of the last request, to the minute. */
    seenAt: z.string(),
    /** Unless it is used before; at the latest after its whole lifetime. */
    endsAt: z.string(),
    /** Such as `Firefox on Linux`; null when the browser did not say. */
    browser: z.string().nullable(),
    /** Where it began: `this computer`, `a private network`, or a country; null for an address of which no more is known. */
    place: z.string().nullable(),
    /** It began in the same network as the current one. */
    isSameNetwork: z.boolean(),
    isCurrent: z.boolean(),
  })
  .meta({ id: 'SessionInfo' });
export const SessionList = z.array(SessionInfo);
export type SessionList = z.infer<typeof SessionList>;

/** In the stream of changes (`platformRoutes.changes`): an e-mail was sent to the account. */
export const mailsTopic = 'mails';

const mailsPage = { default: 10, max: 100 } as const;

export const SentMailsQuery = z.object({
  /** The `next` of the page before. */
  before: z
    .string()
    .regex(/^\d{1,18}$/, 'Use the value of `next` of the page before.')
    .optional(),
  limit: z.coerce.number().int().min(1).max(mailsPage.max).default(mailsPage.default),
});
export type SentMailsQuery = z.infer<typeof SentMailsQuery>;

export const SentMailsPage = z
  .object({
    mails: z.array(
      z.object({
        id: z.string(),
        /** Such as `receipt`. */
        kind: z.string(),
        sentAt: z.string(),
        /** Null once the account was deleted, as the subject. */
        sentTo: z.string().nullable(),
        subject: z.string().nullable(),
        /** Whether `GET /api/account/mails/{id}` has its text: not for a mail with a secret. */
        hasText: z.boolean(),
      }),
    ),
    /** For `before`, to read on; null at the end. */
    next: z.string().nullable(),
  })
  .meta({ id: 'SentMailsPage' });
export type SentMailsPage = z.infer<typeof SentMailsPage>;

export const SentMailText = z.object({ text: z.string() }).meta({ id: 'SentMailText' });
export type SentMailText = z.infer<typeof SentMailText>;

/** The account's e-mail address, typed by the person who deletes it. */
export const DeleteAccountBody = z
  .object({ confirmation: z.string().max(254) })
  .meta({ id: 'DeleteAccountBody' });
export type DeleteAccountBody = z.infer<typeof DeleteAccountBody>;

/** The addresses of its screens. */
export const identityScreens = ['/complete-profile'] as const;
