import { once } from 'node:events';
import { Client, type ClientConfig } from 'pg';
import type { Position } from '../../event.ts';
import { readServer, textRows, type TapeQuery, type TapeServer } from './tape-connections.ts';
import { closeMs, connectionOptions, withinTime, type TimeLimits } from './time-limits.ts';

/** The appends that were open at one time, and what was on the tape after that. */
export type OpenAppends = Readonly<{
  /** The last position handed out. */
  lastPosition: Position;
  /** The transactions that may still write at or before it. */
  writers: readonly string[];
  /** For each of the given positions, and then for `lastPosition`: the last event at or before it; 0 if there is none. */
  lastEvents: readonly Position[];
  /** The last event of the tape, which may be beyond open appends. */
  end: Position;
}>;

/** One connection. What it has read is valid for as long as it lasts: no crash of the server was in between. */
export type MarkSession = Readonly<{
  server: TapeServer;
  readOpenAppends: (positions: readonly Position[]) => Promise<OpenAppends>;
}>;

export type MarkConnection = Readonly<{
  /** The present session, or a new one if the connection was lost. */
  session: () => Promise<MarkSession>;
  /** Closes the connection; the next session is a new one. */
  reset: () => void;
  close: () => Promise<void>;
}>;

/** Calls the SQL function `tape_settling`; the order in which that reads makes the mark safe. */
const openAppendsQuery = (positions: readonly Position[]): TapeQuery => ({
  name: 'tape_settling',
  text: `select last_position, array_to_string(writers, ','), array_to_string(last_events, ',') from tape_settling($1)`,
  values: [`{${positions.join(',')}}`],
});

const toOpenAppends = ([lastPosition = '0', writers = '', events = '']: readonly string[]): OpenAppends => {
  const lastEvents = events.split(',').map(BigInt);
  return {
    lastPosition: BigInt(lastPosition),
    writers: writers === '' ? [] : writers.split(','),
    lastEvents: lastEvents.slice(0, -1),
    end: lastEvents.at(-1) ?? 0n,
  };
};

/** Opens the connection. The driver's own promise stays pending when the client is closed meanwhile. */
const connect = (client: Client): Promise<unknown> =>
  Promise.race([
    client.connect(),
    once(client, 'end').then(() => {
      throw new Error('The connection was closed while it was opened.');
    }),
  ]);

/** The connection on which the settled mark is computed, and nothing else. It is opened when it is needed first. */
export const createMarkConnection = (config: ClientConfig, limits: TimeLimits): MarkConnection => {
  let opened: Readonly<{ client: Client; session: Promise<MarkSession> }> | undefined;
  let isClosed = false;

  const reset = (): void => {
    const client = opened?.client;
    opened = undefined;
    void client?.end().catch(() => {});
  };
  const open = async (client: Client): Promise<MarkSession> => {
    try {
      await connect(client);
      const { server } = await readServer(client, limits.connectMs);
      return {
        server,
        readOpenAppends: async (positions) => {
          try {
            const [row = []] = await textRows(client, openAppendsQuery(positions), limits.markMs);
            return toOpenAppends(row);
          } catch (error) {
            if (opened?.client === client) reset();
            throw error;
          }
        },
      };
    } catch (error) {
      if (opened?.client === client) reset();
      throw error;
    }
  };
  return {
    session: async () => {
      if (isClosed) throw new Error('The store is closed.');
      if (opened) return opened.session;
      const client = new Client({
        ...config,
        ...connectionOptions(limits),
        application_name: 'tapedeck settled mark',
      });
      client.on('error', () => {
        if (opened?.client === client) reset();
      });
      const session = open(client);
      opened = { client, session };
      return session;
    },
    reset,
    close: async () => {
      isClosed = true;
      const client = opened?.client;
      opened = undefined;
      await withinTime(client?.end(), closeMs);
    },
  };
};
