import { waitingStates, type ParkedEvent } from '@tapedeck/operations/contract';

export type WaitingState = (typeof waitingStates)[number];

/** What the address of the board says. */
export type ParkedAddress = Readonly<{
  view: 'waiting' | 'ignored';
  consumer: string | null;
  state: WaitingState | null;
  group: string | null;
  /** The event that the keys act on. */
  event: string | null;
}>;

const stateIn = (text: string | null): WaitingState | null =>
  waitingStates.find((state) => state === text) ?? null;

export const readAddress = (params: URLSearchParams): ParkedAddress => ({
  view: params.get('view') === 'ignored' ? 'ignored' : 'waiting',
  consumer: params.get('consumer'),
  state: stateIn(params.get('state')),
  group: params.get('group'),
  event: params.get('event'),
});

const without = (values: Readonly<Record<string, string | null>>): URLSearchParams => {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== null) params.set(name, value);
  return params;
};

/** Only what differs from the default is in the address. */
export const addressParams = ({ view, ...rest }: ParkedAddress): URLSearchParams =>
  without({ view: view === 'ignored' ? view : null, ...rest });

/** The query of the API. */
export const filterOf = ({ consumer, state, group }: ParkedAddress): string =>
  without({ consumer, state, group }).toString();

/** Identifies an event of the board. */
export const parkedId = ({ consumer, position }: Pick<ParkedEvent, 'consumer' | 'position'>): string =>
  `${position}~${consumer}`;
