import type { ParkedGroup } from '@tapedeck/operations/contract';
import { useState, type JSX } from 'react';
import { succeeded } from '../../../api/succeeded.ts';
import { formatDuration, secondsBetween } from '../../../ui/duration.ts';
import { formatWhole } from '../../../ui/format.ts';
import { ActionButton } from '../../../ui/action-button.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import type { ParkedAddress } from './parked-address.ts';
import { useRetryEventsMutation } from './parked-events.api.ts';

export type GroupsCardProps = Readonly<{
  groups: readonly ParkedGroup[];
  readAt: string;
  address: ParkedAddress;
  onChange: (changes: Partial<ParkedAddress>) => void;
}>;

/** Those of one error in all states. */
type ErrorGroup = Readonly<{ consumer: string; group: string; events: number; oldest: string }>;

const byError = (groups: readonly ParkedGroup[]): readonly ErrorGroup[] => {
  const found = new Map<string, ErrorGroup>();
  for (const { consumer, group, events, oldest } of groups) {
    if (group === '') continue;
    const key = `${consumer} ${group}`;
    const known = found.get(key);
    found.set(key, {
      consumer,
      group,
      events: events + (known?.events ?? 0),
      oldest: known && known.oldest < oldest ? known.oldest : oldest,
    });
  }
  return [...found.values()].toSorted((a, b) => b.events - a.events);
};

const GroupRow = ({
  group: { consumer, group, events, oldest },
  readAt,
  address,
  onChange,
}: Omit<GroupsCardProps, 'groups'> & Readonly<{ group: ErrorGroup }>): JSX.Element => {
  const [retry] = useRetryEventsMutation();
  const [isBusy, setBusy] = useState(false);
  const isChosen = address.group === group && address.consumer === consumer;
  const retryAll = async (): Promise<void> => {
    setBusy(true);
    const answer = await retry({ consumer, group });
    setBusy(false);
    if (!succeeded(answer, 'Nothing was retried: try again.')) return;
    const retried = answer.data?.events ?? 0;
    const text =
      retried === 1 ? 'One event is tried again.' : `${formatWhole(retried)} events are tried again.`;
    showToast({ kind: 'ok', title: consumer, text });
  };
  return (
    <li>
      <button
        className="group-error"
        type="button"
        aria-pressed={isChosen}
        onClick={() =>
          onChange(isChosen ? { group: null, consumer: null } : { group, consumer, event: null })
        }
      >
        <b>{consumer}</b> {group}
      </button>
      <span className="meta">oldest {formatDuration(secondsBetween(oldest, readAt))} ago</span>
      <ActionButton className="btn btn--sm" type="button" isBusy={isBusy} onClick={() => void retryAll()}>
        {events === 1 ? 'Retry it' : `Retry all ${formatWhole(events)}`}
      </ActionButton>
    </li>
  );
};

/** The errors, with how many events each of them holds up. */
export const GroupsCard = (props: GroupsCardProps): JSX.Element | null => {
  const groups = byError(props.groups);
  if (groups.length === 0) return null;
  return (
    <section className="card" aria-labelledby="groups-title">
      <div className="card-head">
        <h2 id="groups-title">Errors</h2>
        <span className="meta">{groups.length}</span>
      </div>
      <ul className="groups rows rows--columns">
        {groups.map((group) => (
          <GroupRow key={`${group.consumer} ${group.group}`} {...props} group={group} />
        ))}
      </ul>
    </section>
  );
};
