import type { ReplayedField, ReplayPlan } from '@tapedeck/replay/contract';
import type { JSX, ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Icon } from '../../ui/icon.tsx';
import { counted, fieldName, valueText } from './replay-words.ts';

const bySubject = (fields: readonly ReplayedField[]): ReadonlyMap<string, readonly ReplayedField[]> => {
  const groups = new Map<string, ReplayedField[]>();
  for (const field of fields) {
    const group = groups.get(field.subject);
    if (group) group.push(field);
    else groups.set(field.subject, [field]);
  }
  return groups;
};

/** What says nothing to people: ids that others repeat, and dates on which the product looks again. */
const technicalTables: ReadonlySet<string> = new Set([
  'checkouts',
  'membership_due',
  'payment_due',
  'subscription_customers',
]);
const technicalFields: ReadonlySet<string> = new Set([
  'changed_at',
  'customer_id',
  'intent_id',
  'opened_at',
  'subscription_id',
]);
const isTechnical = ({ table, field }: ReplayedField): boolean =>
  technicalTables.has(table) || technicalFields.has(field);

type FieldsProps = Readonly<{ fields: readonly ReplayedField[]; shown: ReadonlySet<string> }>;
type TableProps = Readonly<{ plan: ReplayPlan; isApplied: boolean }>;

/** Where the event can be read that causes a change: in the list below, or on the tape. */
const Cause = ({
  field,
  shown,
}: Readonly<{ field: ReplayedField; shown: ReadonlySet<string> }>): JSX.Element =>
  shown.has(field.eventId) ? (
    <a className="chain-type" href={`#event-${field.eventId}`}>
      {field.eventType}
    </a>
  ) : (
    <span className="chain-type">{field.eventType}</span>
  );

const Fields = ({ fields, shown }: FieldsProps): JSX.Element => (
  <table className="replay-table">
    <thead>
      <tr>
        <th scope="col">Field</th>
        <th scope="col">Before</th>
        <th scope="col">After</th>
        <th scope="col">Caused by</th>
      </tr>
    </thead>
    {[...bySubject(fields)].map(([subject, group]) => (
      <tbody key={subject}>
        <tr className="replay-subject">
          <th scope="rowgroup" colSpan={4}>
            {subject}
          </th>
        </tr>
        {group.map((field) => (
          <tr key={`${field.table} ${field.field}`}>
            <th scope="row">{fieldName(field.field)}</th>
            <td className="replay-before">{valueText(field.field, field.before)}</td>
            <td className="replay-after">{valueText(field.field, field.after)}</td>
            <td className="replay-cause">
              <Cause field={field} shown={shown} />
            </td>
          </tr>
        ))}
      </tbody>
    ))}
  </table>
);

const FieldTable = ({ plan: { fields, fieldCount, events }, isApplied }: TableProps): JSX.Element => {
  const shown = new Set(events.map(({ id }) => id));
  const plain = fields.filter((field) => !isTechnical(field));
  const technical = fields.filter(isTechnical);
  return (
    <section className="card" aria-labelledby="fields-title">
      <div className="card-head">
        <h2 id="fields-title">{isApplied ? 'What it has changed' : 'What it would change'}</h2>
        <span className="badge badge--plain push">{counted(fieldCount, 'field')}</span>
      </div>
      {plain.length > 0 && <Fields fields={plain} shown={shown} />}
      {technical.length > 0 && (
        <details className="replay-technical" open={plain.length === 0}>
          <summary>{counted(technical.length, 'technical field')}</summary>
          <Fields fields={technical} shown={shown} />
        </details>
      )}
      {fields.length < fieldCount && (
        <p className="card-pad meta">
          The first {fields.length} of {fieldCount} are shown; all of them are part of the hashes.
        </p>
      )}
    </section>
  );
};

const EventList = ({ plan: { events, eventCount }, isApplied }: TableProps): JSX.Element => (
  <section className="card" aria-labelledby="events-title">
    <div className="card-head">
      <h2 id="events-title">{isApplied ? 'The events it has appended' : 'The events it would append'}</h2>
      <span className="badge badge--plain push">{counted(eventCount, 'event')}</span>
    </div>
    <ol className="replay-events">
      {events.map(({ id, type, text, stream }) => (
        <li key={id} id={`event-${id}`} tabIndex={-1}>
          <span className="chain-type">{type}</span>
          <span>{text}</span>
          <span className="mono meta">{stream}</span>
        </li>
      ))}
    </ol>
    {events.length < eventCount && (
      <p className="card-pad meta">
        The first {events.length} of {eventCount} are shown.
      </p>
    )}
  </section>
);

const Failures = ({ failures }: Pick<ReplayPlan, 'failures'>): JSX.Element => (
  <div className="notice notice--danger" role="alert">
    <Icon name="warn" />
    <div>
      {counted(failures.length, 'event')} cannot be handled, and would be parked:
      <ul>
        {failures.map(({ eventId, reaction, error }) => (
          <li key={`${eventId} ${reaction}`}>
            <span className="mono">{reaction}</span>: {error}
          </li>
        ))}
      </ul>
    </div>
  </div>
);

const Held = ({ held }: Pick<ReplayPlan, 'held'>): JSX.Element => (
  <div className="notice notice--warn">
    <Icon name="warn" />
    <div>
      {counted(held.length, 'request')} to Stripe would follow. They are not sent: they are held among the{' '}
      <Link to="/admin/parked-events">parked events</Link> until someone sends them.
      <ul>
        {held.map(({ id, text }) => (
          <li key={id}>{text}</li>
        ))}
      </ul>
    </div>
  </div>
);

const OutdatedReadModels = ({ names }: Readonly<{ names: readonly string[] }>): JSX.Element => (
  <div className="notice notice--warn">
    <Icon name="warn" />
    <div>
      The tape is right, and {names.join(', ')} {names.length === 1 ? 'differs' : 'differ'} from it. A replay
      does not fix that: an admin can rebuild {names.length === 1 ? 'it' : 'them'} on the page of the{' '}
      <Link to="/admin/projections">projections</Link>.
    </div>
  </div>
);

const nothingSent = 'No mail is sent, and nothing is changed at Stripe';

export type PlanViewProps = TableProps & Readonly<{ children: ReactNode }>;

/** What a replay changes: field by field, then what can be done about it, then the events behind it. */
export const PlanView = ({ plan, isApplied, children }: PlanViewProps): JSX.Element => {
  const { isEmpty, failures, held, released, outdatedReadModels } = plan;
  return (
    <>
      {isEmpty && failures.length === 0 ? (
        <div className="notice notice--ok" role="status">
          <Icon name="check" />
          <div>
            <strong>Nothing would change.</strong> What was compared agrees.
          </div>
        </div>
      ) : (
        <p className="replay-summary" role="status">
          {counted(plan.eventCount, 'event')}, {counted(plan.fieldCount, 'changed field')}
          {released > 0 && `, ${counted(released, 'pending event')} handled again`}.{' '}
          {plan.outside.length === 0
            ? `${nothingSent}.`
            : `${nothingSent} except for what is chosen among the parked requests and mails.`}
        </p>
      )}
      {failures.length > 0 && <Failures failures={failures} />}
      {outdatedReadModels.length > 0 && <OutdatedReadModels names={outdatedReadModels} />}
      {held.length > 0 && <Held held={held} />}
      {plan.fields.length > 0 && <FieldTable plan={plan} isApplied={isApplied} />}
      {children}
      {plan.events.length > 0 && <EventList plan={plan} isApplied={isApplied} />}
    </>
  );
};
