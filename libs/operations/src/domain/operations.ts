import type { OperationsEvent, ConsumerKind } from './operations-events.ts';

/** A change that was asked for and has not ended. */
export type OpenChange = Readonly<{
  requestId: string;
  kind: 'rebuild' | 'roll-back';
  isStarted: boolean;
  isCancelRequested: boolean;
}>;

/** What was done about one projection, reaction or effect. */
export type Operations = Readonly<{
  change: OpenChange | null;
  /** By the positions of the events. */
  ignored: ReadonlyMap<string, ConsumerKind>;
}>;

export const noOperations: Operations = { change: null, ignored: new Map() };

const without = (ignored: Operations['ignored'], position: string): Operations['ignored'] =>
  new Map([...ignored].filter(([one]) => one !== position));

const opened = (requestId: string, kind: OpenChange['kind']): OpenChange => ({
  requestId,
  kind,
  isStarted: false,
  isCancelRequested: false,
});

export const evolve = (state: Operations, event: OperationsEvent): Operations => {
  switch (event.type) {
    case 'RebuildRequested':
      return { ...state, change: opened(event.data.requestId, 'rebuild') };
    case 'RollBackRequested':
      return { ...state, change: opened(event.data.requestId, 'roll-back') };
    case 'RebuildStarted':
      return { ...state, change: state.change && { ...state.change, isStarted: true } };
    case 'ChangeCancelRequested':
      return { ...state, change: state.change && { ...state.change, isCancelRequested: true } };
    case 'RebuildCompleted':
    case 'RebuildFailed':
    case 'RolledBack':
    case 'RollBackFailed':
    case 'ChangeCancelled':
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
