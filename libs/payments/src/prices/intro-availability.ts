import type { Clock } from '@tapedeck/kernel';

/** For Nest: the `IntroAvailability`. */
export const INTRO_AVAILABILITY = Symbol('IntroAvailability');

/** Whether Stripe gives the coupon of the introductory price. */
export type IntroAvailability = Readonly<{
  isAvailable: () => boolean;
  /** Stripe has refused it: checkouts of this process do without for a while. */
  setRefused: () => void;
}>;

const refusedForMs = 10 * 60_000;

export const introAvailability = (hasCoupon: boolean, clock: Clock): IntroAvailability => {
  let refusedUntil = 0;
  return {
    isAvailable: () => hasCoupon && clock.now() >= refusedUntil,
    setRefused: () => {
      refusedUntil = clock.now() + refusedForMs;
    },
  };
};
