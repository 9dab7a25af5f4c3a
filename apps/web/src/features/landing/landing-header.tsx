import type { JSX } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { Logo } from '../../ui/logo.tsx';

const sections = [
  { name: 'Products', anchor: '#products' },
  { name: 'Pricing', anchor: '#pricing' },
  { name: 'FAQ', anchor: '#faq' },
  { name: 'About Us', anchor: '#about' },
  { name: 'Contact', anchor: '#contact' },
] as const;

const menuId = 'sections-menu';

const SectionLinks = (): JSX.Element => (
  <>
    {sections.map(({ name, anchor }) => (
      <a key={anchor} href={anchor}>
        {name}
      </a>
    ))}
  </>
);

export type LandingHeaderProps = Readonly<{ signInHref: string }>;

/** The menu of phones is a popover, which opens and closes without a script. */
export const LandingHeader = ({ signInHref }: LandingHeaderProps): JSX.Element => (
  <header className="topbar">
    <div className="topbar-in wrap-wide">
      <button
        className="btn btn--quiet btn--icon only-narrow"
        type="button"
        popoverTarget={menuId}
        aria-label="Menu"
      >
        <Icon name="menu" />
      </button>
      <a className="logo" href="/" aria-label="Tapedeck, home">
        <Logo />
      </a>
      <nav className="nav" aria-label="Sections">
        <SectionLinks />
      </nav>
      <div className="topbar-end">
        <button
          className="btn btn--quiet btn--icon needs-script"
          type="button"
          aria-label="Switch between light and dark"
          data-theme-switch
        >
          <Icon name="theme" />
        </button>
        <a className="btn btn--quiet only-wide for-visitors" href={signInHref}>
          Login
        </a>
        <a className="btn for-visitors" href={signInHref}>
          Get Started
        </a>
        <a className="btn for-members" href="/">
          Members
        </a>
      </div>
    </div>
    <nav className="sections-menu" id={menuId} popover="auto" aria-label="Menu">
      <SectionLinks />
      <a className="for-visitors" href={signInHref}>
        Login
      </a>
    </nav>
  </header>
);
