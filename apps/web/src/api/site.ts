/** What belongs to this site and not to the product: addresses outside, the place, the demo. */
export const site = {
  extensionStoreUrl: 'https://extensions.example/tapedeck',
  chatServerUrl: 'https://chat.example/tapedeck',
  guideUrl: 'https://chat.example/tapedeck/guide',
  documentationUrl: 'https://docs.example/tapedeck',
  helpCenterUrl: 'https://help.example/tapedeck',
  supportEmail: 'support@tapedeck.example',
  billingEmail: 'billing@tapedeck.example',
  city: 'San Francisco, California',
  socialLinks: [
    { name: 'Video channel', url: 'https://video.example/tapedeck' },
    { name: 'Short messages', url: 'https://posts.example/tapedeck' },
    { name: 'Open source', url: 'https://code.example/tapedeck' },
  ],
  /** A file of our own: the content policy lets pages load from no other host. */
  demoVideo: { url: '/demo/demo.webm', type: 'video/webm', captionsUrl: '/demo/demo.vtt', seconds: 30 },
} as const;

/** For everybody, whether signed in or not. */
export const landingPath = '/landing';
export const pricingPath = `${landingPath}#pricing`;
export const privacyPath = '/pages/extension-privacy-policy';
export const termsPath = '/pages/terms-of-service';

type FootLink = Readonly<{ name: string; href: string }>;

/** The links in the foot of every page. */
export const footLinks: readonly Readonly<{ label: string; links: readonly FootLink[] }>[] = [
  {
    label: 'Help',
    links: [
      { name: 'Documentation', href: site.documentationUrl },
      { name: 'Help Center', href: site.helpCenterUrl },
      { name: 'Community', href: site.chatServerUrl },
      { name: 'Support', href: `mailto:${site.supportEmail}` },
    ],
  },
  {
    label: 'Legal',
    links: [
      { name: 'Privacy Policy', href: privacyPath },
      { name: 'Terms of Service', href: termsPath },
    ],
  },
  { label: 'Elsewhere', links: site.socialLinks.map(({ name, url }) => ({ name, href: url })) },
];
