import { Stripe } from 'stripe';
import type { StripeConfig } from '../settings.ts';
import { limitedClient } from './limited-client.ts';

/** Longer than Stripe's usual answer, and shorter than a request of a browser waits. */
const timeoutMs = 20_000;
const maxNetworkRetries = 2;

const addressOf = (url: string | undefined): Stripe.StripeConfig => {
  if (url === undefined) return {};
  const { hostname, port, protocol } = new URL(url);
  const isHttp = protocol === 'http:';
  return { host: hostname, port: port || (isHttp ? '80' : '443'), protocol: isHttp ? 'http' : 'https' };
};

type ClientConfig = Pick<
  StripeConfig,
  'STRIPE_SECRET_KEY' | 'STRIPE_API_URL' | 'STRIPE_MAX_REQUESTS_PER_SECOND'
>;

/** The SDK, at Stripe or at the stand-in that `STRIPE_API_URL` names. */
export const createStripe = ({
  STRIPE_SECRET_KEY,
  STRIPE_API_URL,
  STRIPE_MAX_REQUESTS_PER_SECOND: perSecond,
}: ClientConfig): Stripe =>
  new Stripe(STRIPE_SECRET_KEY, {
    ...addressOf(STRIPE_API_URL),
    apiVersion,
    httpClient: limitedClient(perSecond),
    maxNetworkRetries,
    timeout: timeoutMs,
    telemetry: false,
  });

/** Also that of the webhook endpoint: another version has other shapes. */
export const apiVersion = '2026-10-28.endive';
