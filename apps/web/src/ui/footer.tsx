import type { JSX, ReactNode } from 'react';
import { Logo } from './logo.tsx';

export type FooterLink = Readonly<{ name: string; href: string }>;

export type FooterProps = Readonly<{
  groups: readonly Readonly<{ label: string; links: readonly FooterLink[] }>[];
  /** How a link within the product is drawn. */
  renderLink?: (link: FooterLink) => ReactNode;
}>;

const isOutside = (href: string): boolean => /^https?:/.test(href);

/** Addresses outside open beside the page. */
const plainLink = ({ name, href }: FooterLink): ReactNode =>
  isOutside(href) ? (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {name}
    </a>
  ) : (
    <a href={href}>{name}</a>
  );

/** The foot of every page. */
export const Footer = ({ groups, renderLink = plainLink }: FooterProps): JSX.Element => (
  <footer className="footer">
    <div className="wrap foot">
      <div>
        <span className="logo">
          <Logo />
          <span className="visually-hidden">Tapedeck</span>
        </span>
        <p className="hint">
          Backtests describe the past. Nothing here is financial advice, and trading can lose money.
        </p>
      </div>
      {groups.map(({ label, links }) => (
        <nav key={label} aria-label={label}>
          <ul>
            {links.map((link) => (
              <li key={link.name}>{link.href.startsWith('/') ? renderLink(link) : plainLink(link)}</li>
            ))}
          </ul>
        </nav>
      ))}
    </div>
  </footer>
);
