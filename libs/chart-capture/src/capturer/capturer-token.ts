/** Injects the `Capturer`. */
export const CAPTURER = Symbol('Capturer');
