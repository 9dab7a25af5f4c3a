import { lanes, type Knowledge, type Lane } from '@tapedeck/audit/contract';

/** What the address of a member's audit says. Times are ISO 8601 UTC. */
export type AuditAddress = Readonly<{
  /** The instant that is shown; null for now. */
  at: string | null;
  knowledge: Knowledge;
  /** The instant that `at` is compared with; null without a comparison. */
  since: string | null;
  /** The lanes that are shown; all of them when empty. */
  lanes: readonly Lane[];
  actorKind: string | null;
  from: string | null;
  to: string | null;
  /** The event whose details are shown. */
  event: string | null;
}>;

const timeIn = (text: string | null): string | null => {
  const time = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
};

const isLane = (text: string): text is Lane => lanes.some((lane) => lane === text);

export const readAddress = (params: URLSearchParams): AuditAddress => ({
  at: timeIn(params.get('at')),
  knowledge: params.get('knowledge') === 'now' ? 'now' : 'then',
  since: timeIn(params.get('since')),
  lanes: (params.get('lanes') ?? '').split(',').filter(isLane),
  actorKind: params.get('actor'),
  from: timeIn(params.get('from')),
  to: timeIn(params.get('to')),
  event: params.get('event'),
});

/** Only what differs from the default is in the address. */
export const addressParams = (address: AuditAddress): URLSearchParams => {
  const params = new URLSearchParams();
  const set = (name: string, value: string | null): void => {
    if (value !== null && value !== '') params.set(name, value);
  };
  set('at', address.at);
  set('knowledge', address.knowledge === 'now' ? 'now' : null);
  set('since', address.since);
  set('lanes', address.lanes.join(','));
  set('actor', address.actorKind);
  set('from', address.from);
  set('to', address.to);
  set('event', address.event);
  return params;
};

/** The parameters of the timeline and of its export. */
export const timelineFilter = ({ lanes: chosen, actorKind, from, to }: AuditAddress): URLSearchParams => {
  const params = new URLSearchParams();
  if (chosen.length > 0) params.set('lanes', chosen.join(','));
  if (actorKind !== null) params.set('actorKind', actorKind);
  if (from !== null) params.set('from', from);
  if (to !== null) params.set('to', to);
  return params;
};

/** @example fieldTime('2027-02-03T18:03:00.000Z') // '2027-02-03T18:03', for a field in UTC */
export const fieldTime = (time: string | null): string => (time === null ? '' : time.slice(0, 16));

/** What was typed into a field in UTC; null when it is empty or no time. */
export const typedTime = (text: string): string | null => timeIn(text === '' ? null : `${text}Z`);
