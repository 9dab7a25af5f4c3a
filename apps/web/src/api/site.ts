/** Addresses outside of the product, which belong to this site. */
export const site = {
  extensionStoreUrl: 'https://extensions.example/tapedeck',
  chatServerUrl: 'https://chat.example/tapedeck',
  guideUrl: 'https://chat.example/tapedeck/guide',
  supportEmail: 'support@tapedeck.example',
  billingEmail: 'billing@tapedeck.example',
  city: 'San Francisco, California',
} as const;

/** For everybody, whether signed in or not. */
export const landingPath = '/landing';
export const termsPath = '/pages/terms-of-service';
export const privacyPath = '/pages/extension-privacy-policy';
