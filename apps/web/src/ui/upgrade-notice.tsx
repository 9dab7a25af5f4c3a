import type { JSX } from 'react';
import { Link } from 'react-router-dom';

/** Where a plan is chosen or changed. */
export const UpgradeLink = (): JSX.Element => (
  <Link className="btn btn--primary btn--sm" to="/?section=my-account">
    See plans in My Account
  </Link>
);

/** Replaces a part of the page that the member's plan does not include. */
export const UpgradeNotice = ({ text }: Readonly<{ text: string }>): JSX.Element => (
  <div className="notice" role="note">
    <div>
      {text}
      <div className="row">
        <UpgradeLink />
      </div>
    </div>
  </div>
);
