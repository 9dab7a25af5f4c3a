import { DomainError } from '@tapedeck/kernel';
import { Stripe } from 'stripe';
import type { StripeResult } from '../port.ts';

const { errors } = Stripe;

const unavailable = (error: Error): DomainError =>
  new DomainError(
    'unavailable',
    'STRIPE_UNAVAILABLE',
    'The payment provider does not answer at the moment: try again shortly. Nothing was charged.',
    // Stripe's messages may repeat what was sent.
    { cause: error instanceof errors.StripeError ? (error.code ?? error.type) : error.name },
  );

/** An answer of Stripe that a repetition does not change. */
const isFinal = (error: unknown): error is Stripe.errors.StripeError =>
  error instanceof errors.StripeCardError || error instanceof errors.StripeInvalidRequestError;

/** Errors that may pass, and those of our own credentials, become `unavailable`; the others stay as they are. */
export const orUnavailable = async <T>(call: Promise<T>): Promise<T> => {
  try {
    return await call;
  } catch (error) {
    if (isFinal(error) || !(error instanceof Error)) throw error;
    throw unavailable(error);
  }
};

/** Whether Stripe refuses the value of a parameter, such as `line_items[0][price]`. */
export const isRefusalOf = (error: unknown, parameter: string): boolean =>
  error instanceof errors.StripeInvalidRequestError && error.param === parameter;

/** The object, or undefined when Stripe has none with this id. */
export const orMissing = async <T>(call: Promise<T>): Promise<T | undefined> => {
  try {
    return await orUnavailable(call);
  } catch (error) {
    if (isFinal(error) && error.code === 'resource_missing') return undefined;
    throw error;
  }
};

const refusalOf = (error: Stripe.errors.StripeError, fixUrl: string | null): StripeResult => {
  const code = error instanceof errors.StripeCardError ? error.decline_code : error.code;
  return { refused: { code: code ?? error.type, message: error.message, fixUrl } };
};

/** Stripe's refusal as a result; `fixUrl` is called only then. */
export const orRefused = async (
  call: Promise<unknown>,
  fixUrl: () => Promise<string | null> = () => Promise.resolve(null),
): Promise<StripeResult> => {
  try {
    await orUnavailable(call);
    return {};
  } catch (error) {
    if (!isFinal(error)) throw error;
    return refusalOf(error, await fixUrl());
  }
};

/** A request of several calls is refused when one of them is refused for good: a repetition would change nothing. */
export const asRequest = async (work: Promise<StripeResult>): Promise<StripeResult> => {
  try {
    return await work;
  } catch (error) {
    if (isFinal(error)) return refusalOf(error, null);
    const mayPass = !(error instanceof DomainError) || ['unavailable', 'too-many'].includes(error.kind);
    if (mayPass) throw error;
    return { refused: { code: error.code, message: error.message, fixUrl: null } };
  }
};
