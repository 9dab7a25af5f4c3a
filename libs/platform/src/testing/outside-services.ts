/** Environment variables of outside services that a test does not use. */
export const outsideServices: Readonly<Record<string, string>> = {
  OIDC_ISSUER: 'http://127.0.0.1:1',
  OIDC_CLIENT_ID: 'x',
  OIDC_CLIENT_SECRET: 'x',
  STRIPE_API_URL: 'http://127.0.0.1:1',
  STRIPE_SECRET_KEY: 'sk_test_none',
  STRIPE_WEBHOOK_SECRET: 'whsec_none',
  STRIPE_PRICE_PRO_MONTHLY: 'price_pro_monthly',
  STRIPE_PRICE_PRO_ANNUAL: 'price_pro_annual',
  STRIPE_PRICE_ELITE_MONTHLY: 'price_elite_monthly',
  STRIPE_PRICE_ELITE_ANNUAL: 'price_elite_annual',
  STRIPE_INTRO_COUPON: 'pro_intro',
  SMTP_URL: 'smtp://127.0.0.1:1',
};
