import type { AccessExplanation, ChangedField, EventSummary } from '@tapedeck/audit/contract';
import type { JSX, ReactNode } from 'react';
import { detailsOf } from '../../api/problem-text.ts';
import { useRepeat } from '../../api/use-repeat.ts';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { useAccessDifferenceQuery, useAccessQuery } from './audit.api.ts';
import type { AuditAddress } from './audit-address.ts';
import { LaneMark } from './lane-mark.tsx';
import { LinkedText, plainText } from './linked-text.tsx';
import { formatTime } from '../../ui/format.ts';
import { followMs } from './use-followed-member.ts';
import { fieldNames, formatValue, isViewField, shownFields } from './view-fields.ts';

type OnOpen = (eventId: string) => void;

const Chain = ({
  chain,
  onOpen,
}: Readonly<{ chain: readonly EventSummary[]; onOpen: OnOpen }>): JSX.Element => (
  <ol className="chain" aria-label="The events behind it">
    {chain.map((event) => (
      <li key={event.id}>
        <button className="chain-link" type="button" onClick={() => onOpen(event.id)}>
          <LaneMark lane={event.lane} isFailure={event.isFailure} />
          <span className="chain-type">{event.type}</span>
          <span className="chain-text">{plainText(event.parts)}</span>
          <span className="mono">{formatTime(event.occurredAt)}</span>
        </button>
      </li>
    ))}
  </ol>
);

type ViewProps = Readonly<{ explanation: AccessExplanation; isNow: boolean }>;

/** The fields as of the instant, with today's value where it is another one. */
const ViewTable = ({ explanation: { view, sinceThen, knownLater }, isNow }: ViewProps): JSX.Element => {
  const today = new Map(sinceThen.map((change) => [change.field, change]));
  const later = new Map(knownLater.map((change) => [change.field, change]));
  const { currency } = view;
  return (
    <table className="view">
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">{isNow ? 'Now' : 'Then'}</th>
          {!isNow && <th scope="col">Today</th>}
        </tr>
      </thead>
      <tbody>
        {shownFields(view, new Set([...today.keys(), ...later.keys()])).map((field) => {
          const change = today.get(field);
          const known = later.get(field);
          return (
            <tr key={field} className={change ? 'is-changed' : undefined}>
              <th scope="row">{fieldNames[field]}</th>
              <td>
                {formatValue(field, view[field], currency)}
                {known && (
                  <span className="hint view-later">
                    Known later: {formatValue(field, known.after, currency)}
                  </span>
                )}
              </td>
              {!isNow && <td>{change ? formatValue(field, change.after, currency) : <Same />}</td>}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
};

const Same = (): JSX.Element => <span className="meta">the same</span>;

const ChangeTable = ({
  fields,
  from,
  to,
}: Readonly<{ fields: readonly ChangedField[]; from: string; to: string }>): JSX.Element => (
  <table className="view">
    <thead>
      <tr>
        <th scope="col">Field</th>
        <th scope="col">{formatTime(from)}</th>
        <th scope="col">{formatTime(to)}</th>
      </tr>
    </thead>
    <tbody>
      {fields.map(({ field, before, after }) => (
        <tr key={field} className="is-changed">
          <th scope="row">{isViewField(field) ? fieldNames[field] : field}</th>
          <td>{formatValue(field, before)}</td>
          <td>{formatValue(field, after)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

type DifferenceProps = Readonly<
  { accountId: string; from: string; to: string | null } & Pick<AuditAddress, 'knowledge'>
>;

const Difference = ({ accountId, from, to, knowledge }: DifferenceProps): JSX.Element => {
  const isForward = to === null || from <= to;
  const query = useAccessDifferenceQuery(
    { accountId, from: isForward ? from : to, to: isForward ? to : from, knowledge },
    { refetchOnMountOrArgChange: true },
  );
  const { currentData, error, isFetching, refetch } = query;
  useRepeat(query, { onRepeat: () => void refetch() });
  return (
    <section className="card" aria-labelledby="difference-title" aria-busy={isFetching}>
      <div className="card-head">
        <h2 id="difference-title">What changed in between</h2>
      </div>
      {error && !currentData && (
        <div className="card-pad">
          <RetryNotice
            text="The comparison could not be loaded."
            details={detailsOf(error)}
            isRetrying={isFetching}
            onRetry={() => void refetch()}
          />
        </div>
      )}
      {!currentData && !error && <span className="skeleton card-skeleton" />}
      {currentData?.fields.length === 0 && <p className="card-pad meta">Nothing.</p>}
      {currentData && currentData.fields.length > 0 && <ChangeTable {...currentData} />}
    </section>
  );
};

export type AccessProps = Readonly<{
  accountId: string;
  address: AuditAddress;
  onOpen: OnOpen;
  /** The choice of the instant, above the reason. */
  bar: ReactNode;
  /** Between the reason and the events behind it. */
  renderDeck: (explanation: AccessExplanation) => ReactNode;
}>;

type ReasonProps = Omit<AccessProps, 'accountId' | 'address'> &
  Readonly<{ explanation: AccessExplanation; isFetching: boolean }>;

const Reason = ({ explanation, isFetching, bar, renderDeck, onOpen }: ReasonProps): JSX.Element => (
  <section className="card audit-why" aria-labelledby="why-title" aria-busy={isFetching}>
    <h2 className="visually-hidden" id="why-title">
      Why
    </h2>
    {bar}
    <p className="because" aria-live="polite">
      <LinkedText parts={explanation.parts} />
    </p>
    {explanation.reason !== null && <blockquote className="because-reason">{explanation.reason}</blockquote>}
    {renderDeck(explanation)}
    {explanation.chain.length > 0 && <Chain chain={explanation.chain} onOpen={onOpen} />}
  </section>
);

/** Why there is access, or none, at the chosen instant, and what the membership was like. */
export const Access = (props: AccessProps): JSX.Element => {
  const { accountId, address, bar, renderDeck, onOpen } = props;
  const { at, knowledge, since } = address;
  const query = useAccessQuery({ accountId, at, knowledge });
  const { data, error, isFetching, refetch } = query;
  // Access also ends by time alone.
  useRepeat(query, { onRepeat: () => void refetch(), ...(at === null ? { intervalMs: followMs } : {}) });
  if (error && !data) {
    return (
      <RetryNotice
        text="The membership could not be loaded."
        details={detailsOf(error)}
        isRetrying={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  if (!data) return <span className="skeleton card-skeleton" />;
  return (
    <>
      <Reason explanation={data} isFetching={isFetching} bar={bar} renderDeck={renderDeck} onOpen={onOpen} />
      <div className="audit-columns">
        <section className="card" aria-labelledby="view-title">
          <div className="card-head">
            <h2 id="view-title">Membership {at === null ? 'now' : `on ${formatTime(data.at)}`}</h2>
            {data.sinceThen.length > 0 && (
              <span className="badge badge--accent push">
                {data.sinceThen.length === 1 ? '1 differs' : `${data.sinceThen.length} differ`} from today
              </span>
            )}
          </div>
          <ViewTable explanation={data} isNow={at === null} />
        </section>
        {since !== null && <Difference accountId={accountId} from={since} to={at} knowledge={knowledge} />}
      </div>
    </>
  );
};
