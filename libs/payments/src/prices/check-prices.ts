import { DomainError, messageOf, type Clock } from '@tapedeck/kernel';
import type { Logger } from '@tapedeck/platform/log';
import { assertPrices, knownPrices, planPrices } from './plan-prices.ts';
import { openStripe } from '@tapedeck/stripe/sdk';
import type { PricesConfig } from '../settings.ts';

/**
 * Refuses a start with prices that Stripe does not charge. While Stripe does not answer the product starts without this
 * check: everything but buying works.
 * @throws DomainError PRICE_WRONG: one sentence that names the variable
 */
export const checkPrices = async (config: PricesConfig, clock: Clock, logger: Logger): Promise<void> => {
  try {
    const stripe = openStripe(config, clock, knownPrices(config));
    const archived = await assertPrices(planPrices(config), config.STRIPE_INTRO_COUPON, stripe);
    for (const { variable, priceId } of archived) {
      logger.error({ variable, priceId }, 'a price is archived in Stripe: its plan cannot be bought');
    }
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind !== 'unavailable') throw error;
    logger.warn({ cause: messageOf(error) }, 'the prices could not be compared with those at Stripe');
  }
};
