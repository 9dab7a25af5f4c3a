import { landingPath, pricingPath, privacyPath, termsPath } from '../../api/site.ts';
import { adminSections } from '../pages/admin/sections.ts';

export type Role = Readonly<{ isSupport: boolean; isAdmin: boolean }>;

/** A page that can be opened, as data. */
export type PaletteRoute = Readonly<{ path: string; name: string; group: string; keywords?: string }>;

const forMembers: readonly PaletteRoute[] = [
  { path: '/?section=dashboard', name: 'Dashboard', group: 'Go to', keywords: 'home' },
  { path: '/favorites', name: 'Favorites', group: 'Go to', keywords: 'favourites stars tags' },
  { path: '/strategies', name: 'Strategy Explorer', group: 'Go to', keywords: 'search filter catalogue' },
  { path: '/?section=strategy-optimizer', name: 'Optimizer', group: 'Go to', keywords: 'extension' },
  { path: '/?section=trading-bots', name: 'Trading Bots', group: 'Go to' },
  {
    path: '/?section=my-account',
    name: 'My Account',
    group: 'Go to',
    keywords: 'membership billing payments subscription cancel invoices profile delete',
  },
  {
    path: pricingPath,
    name: 'Plans and prices',
    group: 'Go to',
    keywords: 'pricing upgrade pro elite',
  },
  { path: landingPath, name: 'Landing page', group: 'Go to', keywords: 'products questions faq contact' },
  { path: termsPath, name: 'Terms of Service', group: 'Go to', keywords: 'legal' },
  { path: privacyPath, name: 'Privacy Policy', group: 'Go to', keywords: 'legal data cookies' },
];

const adminKeywords: Readonly<Record<string, string>> = {
  '/admin/members': 'audit support why access find',
  '/admin/replays': 'payments stripe difference',
  '/admin/parked-events': 'poison errors retry ignore',
  '/admin/queues': 'outbox webhooks stripe waiting',
  '/admin/figures': 'members revenue mrr churn payments charts metrics',
  '/admin/prices': 'announce raise increase amount plans former notice',
  '/admin/projections': 'read models rebuild lag tape',
  '/admin/sql': 'query database statements',
  '/admin/upload': 'import zip catalogue strategies',
};

/** The pages that somebody with these roles can open. */
export const routesFor = ({ isSupport, isAdmin }: Role): readonly PaletteRoute[] => [
  ...forMembers,
  ...adminSections
    .filter(({ isForAdmins }) => isAdmin || (isSupport && !isForAdmins))
    .map(({ path, name }) => ({ path, name, group: 'Admin', keywords: adminKeywords[path] ?? '' })),
];
