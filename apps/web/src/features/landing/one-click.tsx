import type { JSX } from 'react';

export type OneClickAccount = Readonly<{ label: string; email: string; href: string }>;

/** Accounts of a sandbox that need no password. */
export const OneClick = ({ accounts }: Readonly<{ accounts: readonly OneClickAccount[] }>): JSX.Element => (
  <aside className="one-click for-visitors" aria-label="Sandbox">
    <div className="wrap">
      <p>This is a sandbox. Sign in with one click as</p>
      <ul>
        {accounts.map(({ label, email, href }) => (
          <li key={email}>
            <a href={href} title={email}>
              <span className="visually-hidden">Sign in as </span>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </div>
  </aside>
);
