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

export const identityRoutes = {
  user: '/api/auth/user',
  login: '/api/login',
  loginCallback: '/api/login/callback',
  logout: '/api/logout',
} as const;
