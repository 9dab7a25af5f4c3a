import type { CurrentUser } from '@tapedeck/identity/contract';
import { useState, type JSX } from 'react';
import { useClientConfigQuery } from '../../../api/config.api.ts';
import { site } from '../../../api/site.ts';
import { LoadingRows, LoadingText } from '../../../features/favourites/favourites-states.tsx';
import { FavouritesCard } from '../../../features/favourites/favourites-card.tsx';
import { useFavouritesQuery } from '../../../features/favourites/favourites.api.ts';
import { useFavourites } from '../../../features/favourites/use-favourites.ts';
import { useRoles } from '../../../features/identity/identity.api.ts';
import { greetingName } from '../../../features/identity/names.ts';
import { useMemberTierQuery } from '../../../features/membership/membership.api.ts';
import { useSavedSearchesQuery } from '../../../features/saved-searches/saved-searches.api.ts';
import { useOnceTrue } from '../../../ui/browser/use-once-true.ts';
import { useWaitedMs } from '../../../ui/browser/use-waited-ms.ts';
import { Icon } from '../../../ui/icon.tsx';
import { isAnswered } from '../../../ui/loading-page.tsx';
import { AdminPanel } from './admin-panel.tsx';
import { CommunityCard, ExplorerCard, OptimizerCard } from './dashboard-cards.tsx';
import { DashboardMembership, isAskedFor } from './dashboard-membership.tsx';
import { greetingAt, morningLine } from './morning-line.ts';

/** Counting new matches may take longer than everything else together. */
const maxWaitForSearchesMs = 1_000;

const loadingRows = 5;

/** Whether the cards have their sizes, which depend on these answers. It stays so: a card that asks again shows that itself. */
const useAreSizesKnown = (): boolean => {
  const favourites = useFavouritesQuery();
  const answers = [favourites, useMemberTierQuery(), useClientConfigQuery()];
  const searches = useSavedSearchesQuery();
  const waitedMs = useWaitedMs(!isAnswered(searches));
  return useOnceTrue(answers.every(isAnswered) && (isAnswered(searches) || waitedMs >= maxWaitForSearchesMs));
};

const useMorningLine = (): string | null => {
  const { favourites } = useFavourites();
  const { data: searches } = useSavedSearchesQuery();
  const [now] = useState(() => Date.now());
  return favourites ? morningLine(favourites, searches ?? [], now) : null;
};

type HeadProps = Readonly<{ user: CurrentUser; isReady: boolean }>;

const Head = ({ user, isReady }: HeadProps): JSX.Element => {
  const line = useMorningLine();
  const [greeting] = useState(() => greetingAt(new Date().getHours()));
  return (
    <div className="member-head">
      <div>
        <h1>
          {greeting}, {greetingName(user)}
        </h1>
        <p className="meta morning-line">{isReady && line}</p>
      </div>
      <a className="btn" href={site.chatServerUrl} target="_blank" rel="noreferrer">
        <Icon name="chat" />
        Join the community
      </a>
    </div>
  );
};

const LoadingLines = (): JSX.Element => (
  <div className="card card-pad stack">
    <span className="skeleton dash-line" />
    <span className="skeleton dash-line" />
    <span className="skeleton dash-line" />
  </div>
);

/** In the place of the cards until their sizes are known, so that none of them moves. */
const LoadingCards = (): JSX.Element => (
  <div className="dash-grid dash-grid--loading" aria-busy="true">
    <div className="dash-favs">
      <div className="card favs">
        <LoadingText />
        <LoadingRows count={loadingRows} />
      </div>
    </div>
    <div className="dash-side" aria-hidden="true">
      <LoadingLines />
      <LoadingLines />
    </div>
  </div>
);

const Cards = ({ user }: Readonly<{ user: CurrentUser }>): JSX.Element => {
  const { data: config } = useClientConfigQuery();
  const { isAdmin = false, isSupport = false } = useRoles() ?? {};
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

/** The section `dashboard`. */
export const Dashboard = ({ user }: Readonly<{ user: CurrentUser }>): JSX.Element => {
  const isReady = useAreSizesKnown();
  return (
    <main className="wrap member-page" id="main">
      <Head user={user} isReady={isReady} />
      {isReady ? <Cards user={user} /> : <LoadingCards />}
    </main>
  );
};
