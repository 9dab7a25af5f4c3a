import type { AuditedMember, EventSummary, MembershipView } from '@tapedeck/audit/contract';
import { Fragment, useCallback, useMemo, useState, type JSX, type ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { useCommands } from '../../ui/browser/shortcuts.ts';
import { useOnceTrue } from '../../ui/browser/use-once-true.ts';
import { Icon } from '../../ui/icon.tsx';
import { detailsOf, failureOf } from '../../api/problem-text.ts';
import { useReadOn } from '../../api/use-read-on.ts';
import { useRepeat } from '../../api/use-repeat.ts';
import { ErrorDetails } from '../../ui/error-details.tsx';
import { isAnswered, LoadingPage } from '../../ui/loading-page.tsx';
import { MessagePage } from '../../ui/message-page.tsx';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { Access } from './access.tsx';
import { AsOfBar, type ChangeAddress } from './as-of-bar.tsx';
import { useAccessQuery, useDeckQuery, useTimelineInfiniteQuery } from './audit.api.ts';
import { addressParams, readAddress, timelineFilter, type AuditAddress } from './audit-address.ts';
import { EventDrawer } from './event-drawer.tsx';
import { noteFieldId, NotesCard } from './notes-card.tsx';
import { TapeDeck } from './deck/tape-deck.tsx';
import { exportUrl, Timeline } from './timeline.tsx';
import { formatTime } from '../../ui/format.ts';
import { useFollowedMember } from './use-followed-member.ts';

type Fact = Readonly<{ name: string; value: ReactNode }>;

const factsOf = (member: AuditedMember): readonly Fact[] => [
  { name: 'Account', value: <span className="mono">{member.accountId}</span> },
  { name: 'Registered', value: member.registeredAt === null ? '—' : formatTime(member.registeredAt) },
  { name: 'Discord', value: member.discordEmail ?? '—' },
  { name: 'TradingView', value: member.tradingViewUsername ?? '—' },
  ...(member.roles.length > 0 ? [{ name: 'Roles', value: member.roles.join(', ') }] : []),
  ...member.subscriptions.map(({ subscriptionId, stripeUrl }) => ({
    name: 'Subscription',
    value: (
      <a className="mono external" href={stripeUrl} target="_blank" rel="noreferrer">
        {subscriptionId}
        <Icon name="external" small />
      </a>
    ),
  })),
];

/** Where it does not fit, it breaks after its parts. */
const BreakableEmail = ({ email }: Readonly<{ email: string }>): JSX.Element => (
  <>
    {email.split(/(?<=[@.])/u).map((part, index) => (
      <Fragment key={index}>
        {index > 0 && <wbr />}
        {part}
      </Fragment>
    ))}
  </>
);

const Head = ({ member }: Readonly<{ member: AuditedMember }>): JSX.Element => (
  <div className="member-head">
    <div>
      <Link className="meta back-link" to="/admin/members">
        Members
      </Link>
      <h1 className="member-name">
        {member.email === null ? 'Deleted account' : <BreakableEmail email={member.email} />}
      </h1>
      {member.name !== null && <p className="meta">{member.name}</p>}
    </div>
    {member.isDeleted && <span className="badge badge--danger">deleted</span>}
  </div>
);

const AccountCard = ({ member }: Readonly<{ member: AuditedMember }>): JSX.Element => (
  <section className="card" aria-labelledby="account-title">
    <div className="card-head">
      <h2 id="account-title">Account</h2>
    </div>
    <dl className="facts card-pad">
      {factsOf(member).map(({ name, value }, index) => (
        <div key={`${name} ${index}`}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  </section>
);

const useAddress = (): readonly [AuditAddress, ChangeAddress] => {
  const [params, setParams] = useSearchParams();
  const address = useMemo(() => readAddress(params), [params]);
  const change = useCallback<ChangeAddress>(
    (changes) => {
      // The address of the browser is newer than the one that was rendered last.
      const now = readAddress(new URLSearchParams(window.location.search));
      setParams(addressParams({ ...now, ...changes }), { replace: true, preventScrollReset: true });
    },
    [setParams],
  );
  return [address, change];
};

/** The event before or after the chosen one in the list; the first one without a choice. */
const neighbour = (
  events: readonly EventSummary[],
  chosen: string | null,
  step: 1 | -1,
): EventSummary | undefined => {
  const index = events.findIndex(({ id }) => id === chosen);
  return index < 0 ? events[0] : events[index + step];
};

export type MemberPageProps = Readonly<{
  accountId: string;
  /** What can be done for the member, by what the membership is now. */
  renderActions: (accountId: string, view: MembershipView) => ReactNode;
  /** What was paid, and what can be done about it. */
  renderMoney: (accountId: string) => ReactNode;
}>;

type LoadedProps = Readonly<{
  member: AuditedMember;
  address: AuditAddress;
  onChange: ChangeAddress;
  /** The page could not be brought up to date. */
  outdated: ReactNode;
}> &
  Pick<MemberPageProps, 'renderActions' | 'renderMoney'>;

const Loaded = (props: LoadedProps): JSX.Element => {
  const { member, address, onChange, outdated, renderActions, renderMoney } = props;
  const { accountId } = member;
  const [now] = useState(() => new Date().toISOString());
  const filter = timelineFilter(address).toString();
  const timeline = useTimelineInfiniteQuery({ accountId, filter });
  useRepeat(timeline, { onRepeat: () => void timeline.refetch(), isOn: !timeline.isFetchNextPageError });
  const { data: present } = useAccessQuery({ accountId, at: null, knowledge: 'then' });
  const events = timeline.currentData?.pages.flatMap((page) => page.events);
  const { readOn, isReadingOn } = useReadOn(timeline);
  const open = useCallback((event: string): void => onChange({ event }), [onChange]);
  const close = useCallback((): void => onChange({ event: null }), [onChange]);
  const step = (direction: 1 | -1): void => {
    // The address is newer than the last rendering when keys are pressed fast.
    const { event: chosen } = readAddress(new URLSearchParams(window.location.search));
    const next = neighbour(events ?? [], chosen, direction);
    if (next) {
      document.querySelector(`#event-${next.id}`)?.scrollIntoView({ block: 'nearest' });
      onChange({ event: next.id });
    } else if (direction === 1 && timeline.hasNextPage) readOn();
  };
  useCommands([
    { id: 'audit-next', key: 'j', label: 'Next event', perform: () => step(1) },
    { id: 'audit-previous', key: 'k', label: 'Previous event', perform: () => step(-1) },
    {
      id: 'audit-now',
      key: 'n',
      label: 'Show the membership as of now',
      perform: () => onChange({ at: null }),
    },
    {
      id: 'audit-note',
      label: 'Write a note about the member',
      perform: () => document.getElementById(noteFieldId)?.focus(),
    },
    {
      id: 'audit-export',
      label: 'Export the timeline as CSV',
      keywords: 'download events',
      perform: () => window.location.assign(exportUrl(accountId, address, 'csv')),
    },
  ]);
  const end = member.lastAt !== null && member.lastAt > now ? member.lastAt : now;
  return (
    <main className="wrap member-page audit-page" id="main">
      <Head member={member} />
      {outdated}
      <div className="audit-grid">
        <div className="audit-main">
          <Access
            accountId={accountId}
            address={address}
            bar={<AsOfBar address={address} onChange={onChange} />}
            renderDeck={({ chain }) => (
              <TapeDeck
                accountId={accountId}
                first={member.firstAt ?? end}
                now={end}
                at={address.at}
                causes={chain}
                selected={[...(events ?? []), ...chain].find(({ id }) => id === address.event)}
                onMove={(at) => onChange({ at })}
              />
            )}
            onOpen={open}
          />
        </div>
        <div className="audit-main">
          <AccountCard member={member} />
          {!member.isDeleted && present && renderActions(accountId, present.view)}
          <NotesCard accountId={accountId} notes={member.notes} isDeleted={member.isDeleted} />
        </div>
      </div>
      {!member.isDeleted && renderMoney(accountId)}
      <Timeline
        accountId={accountId}
        address={address}
        events={events}
        total={member.events}
        isPaged={timeline.hasNextPage || (timeline.currentData?.pages.length ?? 0) > 1}
        hasMore={timeline.hasNextPage}
        isFetching={timeline.isFetching}
        isReadingOn={isReadingOn}
        error={timeline.error}
        moreProblem={
          timeline.isFetchNextPageError
            ? failureOf(timeline.error, 'Earlier events could not be loaded: try again.')
            : null
        }
        onMore={readOn}
        onRetry={() => void timeline.refetch()}
        onChange={onChange}
        onOpen={open}
      />
      {address.event !== null && (
        <EventDrawer
          accountId={accountId}
          eventId={address.event}
          onOpen={open}
          onShowAsOf={(at) => onChange({ at })}
          onClose={close}
        />
      )}
    </main>
  );
};

/** Asks for the parts of the page, also if it was open before; whether they have their sizes, which depend on the answers. */
const useAreSizesKnown = (accountId: string, address: AuditAddress): boolean => {
  const { at, knowledge } = address;
  const again = { refetchOnMountOrArgChange: true };
  const answers = [
    useAccessQuery({ accountId, at, knowledge }, again),
    useAccessQuery({ accountId, at: null, knowledge: 'then' }, again),
    useDeckQuery(accountId, again),
    useTimelineInfiniteQuery({ accountId, filter: timelineFilter(address).toString() }, again),
  ];
  return useOnceTrue(answers.every(isAnswered));
};

/** `/admin/members/:accountId`: why a member had access on any day, and every event behind it. */
export const MemberPage = ({ accountId, ...renders }: MemberPageProps): JSX.Element => {
  const { data: member, error, isFetching, refetch } = useFollowedMember(accountId);
  const [address, change] = useAddress();
  const isKnown = useAreSizesKnown(accountId, address);
  if (member && isKnown) {
    const outdated = error && (
      <RetryNotice
        text="The member could not be loaded: this is what it was before."
        details={detailsOf(error)}
        isRetrying={isFetching}
        onRetry={() => void refetch()}
      />
    );
    return <Loaded member={member} address={address} onChange={change} outdated={outdated} {...renders} />;
  }
  if (!error) return <LoadingPage />;
  const isUnknown =
    error !== undefined && 'status' in error && (error.status === 404 || error.status === 400);
  const details = detailsOf(error);
  return (
    <MessagePage
      title={isUnknown ? 'There is no such member' : 'The member could not be loaded'}
      text={isUnknown ? 'Search for the member again.' : 'Nothing was changed. Try again in a moment.'}
    >
      {isUnknown ? (
        <Link className="btn" to="/admin/members">
          Search
        </Link>
      ) : (
        <button className="btn" type="button" aria-busy={isFetching} onClick={() => void refetch()}>
          Try again
        </button>
      )}
      {!isUnknown && details !== null && <ErrorDetails details={details} />}
    </MessagePage>
  );
};
