import { ClientConfig, compositionRoutes } from '@tapedeck/composition/contract';
import { identityRoutes } from '@tapedeck/identity/contract';
import { membershipRoutes } from '@tapedeck/membership/contract';
import { paymentRoutes } from '@tapedeck/payments/contract';
import type { JSX } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { footLinks } from '../api/site.ts';
import { About } from '../features/landing/about.tsx';
import { ExplorerPromo } from '../features/landing/explorer-promo.tsx';
import { Faq } from '../features/landing/faq.tsx';
import { Hero, RunSteps } from '../features/landing/hero.tsx';
import { LandingHeader } from '../features/landing/landing-header.tsx';
import { OneClick } from '../features/landing/one-click.tsx';
import { Products } from '../features/landing/products.tsx';
import { jsonForScript, structuredData } from '../features/landing/structured-data.ts';
import type { PlanOffers } from '../features/payments/plans.ts';
import { PricingSection } from '../features/payments/pricing/pricing-section.tsx';
import { Footer } from '../ui/footer.tsx';

/** What the page is rendered from, when the server starts. */
export type LandingValues = Readonly<{
  publicOrigin: string;
  /** Whether the browser has a session; it may be over, which the page then finds out. */
  hasSession: boolean;
  /** The answer of `GET /api/config`. */
  config: unknown;
}>;

const title = 'Tapedeck: every setting tried, every result on tape';
const description =
  'A browser extension that backtests your trading strategy across its settings, and a catalogue of more than 4,500 analysed strategies to measure it against.';

const Head = ({ origin }: Readonly<{ origin: string }>): JSX.Element => (
  <>
    <meta name="color-scheme" content="light dark" />
    <meta name="theme-color" media="(prefers-color-scheme: light)" content="#fdfcfa" />
    <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#1a1714" />
    <title>{title}</title>
    <meta name="description" content={description} />
    <link rel="canonical" href={`${origin}/`} />
    <meta property="og:type" content="website" />
    <meta property="og:site_name" content="Tapedeck" />
    <meta property="og:title" content={title} />
    <meta property="og:description" content={description} />
    <meta property="og:url" content={`${origin}/`} />
    <meta property="og:image" content={`${origin}/og.png`} />
    <meta property="og:image:width" content="1200" />
    <meta property="og:image:height" content="630" />
    <meta
      property="og:image:alt"
      content="Tapedeck: a grid of backtests, one per setting, the best one framed"
    />
    <meta name="twitter:card" content="summary_large_image" />
    <link rel="icon" href="/favicon.ico" sizes="32x32" />
    <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
    <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
    <link rel="manifest" href="/site.webmanifest" />
  </>
);

/** After the sign-in, the catalogue. */
const explorerSignIn = (hint?: string): string => {
  const query = new URLSearchParams({ ...(hint ? { login_hint: hint } : {}), returnTo: '/strategies' });
  return `${identityRoutes.login}?${query.toString()}`;
};

/**
 * Of a member the introductory price is shown once the server has said that this account gets it: until then what is shown is
 * the most that is charged.
 */
const offersFor = (hasSession: boolean, offers: PlanOffers): PlanOffers =>
  hasSession ? offers.map((offer) => ({ ...offer, introAmount: null })) : offers;

type BodyProps = Readonly<{ origin: string; hasSession: boolean; config: ClientConfig }>;

const Body = ({ origin, hasSession, config }: BodyProps): JSX.Element => (
  <div
    id="root"
    data-session={hasSession ? 'member' : 'visitor'}
    data-session-url={identityRoutes.optionalUser}
    data-tier-url={membershipRoutes.tier}
    data-billing-url={paymentRoutes.billing}
    data-config-url={compositionRoutes.clientConfig}
  >
    <a className="skip" href="#main">
      Skip to content
    </a>
    <LandingHeader signInHref={identityRoutes.login} />
    {config.signInHints.length > 0 && (
      <OneClick
        accounts={config.signInHints.map(({ label, email }) => ({
          label,
          email,
          href: explorerSignIn(email),
        }))}
      />
    )}
    <main id="main" className="landing">
      <Hero />
      <RunSteps />
      <ExplorerPromo signInHref={explorerSignIn()} />
      <Products signInHref={explorerSignIn()} />
      <PricingSection
        offers={offersFor(hasSession, config.plans)}
        freeFeatures={config.freeFeatures}
        hasTaxes={config.hasTaxes}
      />
      <Faq />
      <About />
    </main>
    <Footer groups={footLinks} />
    <script
      type="application/ld+json"
      dangerouslySetInnerHTML={{ __html: jsonForScript(structuredData(origin)) }}
    />
  </div>
);

export type RenderedLanding = Readonly<{ head: string; body: string }>;

/** The landing page as HTML. The content policy forbids style attributes, so that no component may set one. */
export const renderLanding = ({ publicOrigin, hasSession, config }: LandingValues): RenderedLanding => ({
  head: renderToStaticMarkup(<Head origin={publicOrigin} />),
  body: renderToStaticMarkup(
    <Body origin={publicOrigin} hasSession={hasSession} config={ClientConfig.parse(config)} />,
  ),
});
