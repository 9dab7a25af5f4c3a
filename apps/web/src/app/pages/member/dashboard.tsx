import type { CurrentUser } from '@tapedeck/identity/contract';
import { useState, type JSX } from 'react';
import { useClientConfigQuery } from '../../../api/config.api.ts';
import { site } from '../../../api/site.ts';
import { FavouritesCard } from '../../../features/favourites/favourites-card.tsx';
import { useFavourites } from '../../../features/favourites/use-favourites.ts';
import { useAdminStatusQuery } from '../../../features/identity/identity.api.ts';
import { greetingName } from '../../../features/identity/names.ts';
import { useMemberTierQuery } from '../../../features/membership/membership.api.ts';
import { useSavedSearchesQuery } from '../../../features/saved-searches/saved-searches.api.ts';
import { Icon } from '../../../ui/icon.tsx';
import { AdminPanel } from './admin-panel.tsx';
import { CommunityCard, ExplorerCard, OptimizerCard } from './dashboard-cards.tsx';
import { DashboardMembership, isAskedFor } from './dashboard-membership.tsx';
import { greetingAt, morningLine } from './morning-line.ts';

const useMorningLine = (): string | null => {
  const { favourites, isError } = useFavourites();
  const searches = useSavedSearchesQuery();
  const [now] = useState(() => Date.now());
  const isKnown = (favourites || isError) && (searches.data || searches.isError);
  if (!isKnown || !favourites) return null;
  return morningLine(favourites, searches.data ?? [], now);
};

const Head = ({ user }: Readonly<{ user: CurrentUser }>): JSX.Element => {
  const [greeting] = useState(() => greetingAt(new Date().getHours()));
  return (
    <div className="member-head">
      <div>
        <h1>
          {greeting}, {greetingName(user)}
        </h1>
        <p className="meta morning-line">{useMorningLine()}</p>
      </div>
      <a className="btn" href={site.chatServerUrl} target="_blank" rel="noreferrer">
        <Icon name="chat" />
        Join the community
      </a>
    </div>
  );
};

/** In the place of the cards until their sizes are known, so that none of them moves. */
const LoadingCards = (): JSX.Element => (
  <div className="dash-grid" aria-busy="true">
    <p className="visually-hidden" role="status">
      Loading favorites...
    </p>
    <div className="card skeleton dash-favs" />
    <div className="dash-side">
      <div className="card skeleton" />
      <div className="card skeleton" />
    </div>
  </div>
);

const Cards = ({ user }: Readonly<{ user: CurrentUser }>): JSX.Element => {
  const { data: config } = useClientConfigQuery();
  const { data: { isAdmin, isSupport } = { isAdmin: false, isSupport: false } } = useAdminStatusQuery();
  const { data: tier } = useMemberTierQuery();
  const isStaff = isAdmin || isSupport;
  return (
    <>
      <div className="dash-grid">
        <div className="dash-favs">
          <FavouritesCard chartImageOrigin={config?.chartImageOrigin ?? ''} />
        </div>
        <div className="dash-side">
          <DashboardMembership user={user} isStaff={isStaff} />
          <ExplorerCard isPrimary={!isAdmin && !isAskedFor(tier, isStaff)} />
        </div>
        <OptimizerCard />
        <CommunityCard />
      </div>
      {isAdmin && <AdminPanel />}
    </>
  );
};

const useAreSizesKnown = (): boolean => {
  const { favourites, isError } = useFavourites();
  const tier = useMemberTierQuery();
  const status = useAdminStatusQuery();
  const config = useClientConfigQuery();
  const isAnswered = ({ isSuccess, isError }: Readonly<{ isSuccess: boolean; isError: boolean }>): boolean =>
    isSuccess || isError;
  return (favourites !== undefined || isError) && [tier, status, config].every(isAnswered);
};

/** The section `dashboard`. */
export const Dashboard = ({ user }: Readonly<{ user: CurrentUser }>): JSX.Element => (
  <main className="wrap member-page" id="main">
    <Head user={user} />
    {useAreSizesKnown() ? <Cards user={user} /> : <LoadingCards />}
  </main>
);
