/** A page that a member may be sent to, or null. */
export type PageOfProvider = (url: string | null | undefined) => string | null;

const isStripe = ({ protocol, hostname, username, password }: URL): boolean =>
  protocol === 'https:' &&
  (hostname === 'stripe.com' || hostname.endsWith('.stripe.com')) &&
  username === '' &&
  password === '';

/**
 * Lets only Stripe's own pages pass, or those of the stand-in at `apiUrl`: an address in an answer is never linked for the
 * answer's sake.
 *
 * @example
 * pageOfProvider(undefined)('https://invoice.stripe.com/i/acct_1/test_1');
 */
export const pageOfProvider =
  (apiUrl: string | undefined): PageOfProvider =>
  (address) => {
    if (!address || !URL.canParse(address)) return null;
    const url = new URL(address);
    const isOurs = apiUrl === undefined ? isStripe(url) : url.origin === new URL(apiUrl).origin;
    return isOurs ? url.href : null;
  };

/** Where no stand-in is used. */
export const stripePage: PageOfProvider = pageOfProvider(undefined);
