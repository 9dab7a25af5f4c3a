import { DomainError } from '@tapedeck/kernel';
import { Stripe } from 'stripe';

const { errors } = Stripe;

/**
 * An error of Stripe that no caller expects is one of ours, or of the settings there. Its text names objects and parameters: it
 * is for the log, and nobody who buys sees it.
 */
const ownErrorOf = (error: unknown): unknown => {
  if (!(error instanceof errors.StripeError)) return error;
  const cause = [error.type, error.code, error.param].filter(Boolean).join(' ');
  return new DomainError(
    'unavailable',
    'STRIPE_REFUSED',
    'The payment provider did not accept this. Nothing was charged: try again, or write to support.',
    { cause },
  );
};

const isPromise = (value: unknown): value is Promise<unknown> => value instanceof Promise;

/** The same functions, which throw no error of Stripe. */
export const withOwnErrors = <Functions extends object>(functions: Functions): Functions =>
  Object.fromEntries(
    Object.entries(functions).map(([name, call]) => [
      name,
      (...args: readonly unknown[]) => {
        const result: unknown = call(...args);
        return isPromise(result)
          ? result.catch((error: unknown) => {
              throw ownErrorOf(error);
            })
          : result;
      },
    ]),
    // The same names and, with another error, the same results.
  ) as Functions;
