const limits = [
  'READS WRITES CHANGES HEALTH CAPTURE PICTURES',
  'SIGN_IN CALLBACK PROFILE SESSIONS DELETION',
  'EXPLORER BRUSH EXPORT TEASER SQL',
  'CHECKOUT CHECKOUT_EMAIL CLAIM_CODE CLAIM_CODE_EMAIL LINK_PAYMENT',
].flatMap((names) => names.split(' '));

/** Environment variables under which no test meets a limit of one client, of every module. */
export const raisedLimits: Readonly<Record<string, string>> = {
  ...Object.fromEntries(limits.map((name) => [`RATE_LIMIT_${name}`, '1000000/s'])),
  DATABASE_REQUESTS_PER_CLIENT: '1000',
};
