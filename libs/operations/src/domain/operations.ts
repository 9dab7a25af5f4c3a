import type { OperationsEvent, SubscriberKind } from './operations-events.ts';

/** A change that was asked for and has not ended. */
export type OpenChange = Readonly<{
  requestId: string;
  kind: 'rebuild' | 'roll-back';
  isStarted: boolean;
}>;

/** What was done about one projection, reaction or effect. */
export type Operations = Readonly<{
  change: OpenChange | null;
  /** By the positions of the events. */
  ignored: ReadonlyMap<string, SubscriberKind>;
}>;

export const noOperations: Operations = { change: null, ignored: new Map() };

const without = (ignored: Operations['ignored'], position: string): Operations['ignored'] =>
  new Map([...ignored].filter(([one]) => one !== position));

export const evolve = (state: Operations, event: OperationsEvent): Operations => {
  switch (event.type) {
    case 'RebuildRequested':
      return { ...state, change: { requestId: event.data.requestId, kind: 'rebuild', isStarted: false } };
    case 'RollBackRequested':
      return { ...state, change: { requestId: event.data.requestId, kind: 'roll-back', isStarted: false } };
    case 'RebuildStarted':
      return { ...state, change: state.change && { ...state.change, isStarted: true } };
    case 'RebuildCompleted':
    case 'RebuildFailed':
    case 'RolledBack':
    case 'RollBackFailed':
      return { ...state, change: null };
    case 'ParkedEventsRetried':
      return state;
    case 'ParkedEventIgnored':
      return { ...state, ignored: new Map(state.ignored).set(event.data.position, event.data.kind) };
    case 'IgnoreMissed':
    case 'IgnoredEventRetried':
      return { ...state, ignored: without(state.ignored, event.data.position) };
    default:
      return event satisfies never;
  }
};
