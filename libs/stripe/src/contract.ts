import * as z from 'zod';

export const WebhookReceived = z.object({ received: z.literal(true) }).meta({ id: 'WebhookReceived' });
export type WebhookReceived = z.infer<typeof WebhookReceived>;

export const stripeRoutes = { webhook: '/api/stripe/webhook' } as const;
