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
  login: '/api/login',
  loginCallback: '/api/login/callback',
  logout: '/api/logout',
} as const;
