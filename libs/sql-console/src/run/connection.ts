import pg from 'pg';
import { sqlLimits } from '../contract.ts';

export type ConsoleError = Readonly<{ sqlState: string; message: string; position: number | null }>;

/** What ended a statement: an error of the server, or one of the limits here. */
export class StatementFailed extends Error {
  readonly error: ConsoleError;

  constructor(error: ConsoleError) {
    super(error.message);
    this.error = error;
  }
}

const limits = [
  'lock_timeout=1000',
  'idle_in_transaction_session_timeout=5000',
  'client_connection_check_interval=500',
  'default_transaction_isolation=read\\ committed',
  'search_path=read_models',
];

export type ConnectOptions = Readonly<{
  url: string;
  queryId: string;
  isReadOnly: boolean;
  /** The major version of the server. */
  version: number;
  statementMs: number;
}>;

/** Settings of the connection, which those of a role do not override. */
const optionsOf = ({ isReadOnly, version, statementMs }: ConnectOptions): string =>
  [
    ...limits,
    `statement_timeout=${statementMs}`,
    ...(version >= 17 ? ['transaction_timeout=15000'] : []),
    ...(isReadOnly ? ['default_transaction_read_only=on'] : []),
  ]
    .map((setting) => `-c ${setting}`)
    .join(' ');

export type Connection = Readonly<{
  client: pg.Client;
  /** Bytes of the server's answers. */
  bytes: () => number;
  /** Why the connection was destroyed here. */
  destroyed: () => ConsoleError | undefined;
  close: () => Promise<void>;
}>;

const tooLarge: ConsoleError = {
  sqlState: '54000',
  message: 'The answer is larger than 8 MB: select fewer columns or rows.',
  position: null,
};

/** One for each query: nothing that a statement leaves in its session reaches another one. */
export const connect = async (options: ConnectOptions): Promise<Connection> => {
  const client = new pg.Client({
    connectionString: options.url,
    application_name: `console:${options.queryId}`,
    options: optionsOf(options),
    connectionTimeoutMillis: 3_000,
    // Values as the server writes them.
    types: { getTypeParser: () => (value: unknown) => value },
  });
  client.on('error', () => {});
  let [bytes, destroyed]: [number, ConsoleError | undefined] = [0, undefined];
  try {
    await client.connect();
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
  const { stream } =
    // The driver types no part of its connection: limits on rows do not bound the bytes of one value.
    (client as unknown as { connection: { stream: NodeJS.ReadableStream & { destroy: () => void } } })
      .connection;
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= sqlLimits.answerBytes || destroyed) return;
    destroyed = tooLarge;
    stream.destroy();
  });
  return {
    client,
    bytes: () => bytes,
    destroyed: () => destroyed,
    close: () => (destroyed ? Promise.resolve() : client.end().catch(() => {})),
  };
};

const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** `prefix`: how many characters were sent before the statement. */
export const errorOf = (error: unknown, connection: Connection, prefix = 0): ConsoleError => {
  const destroyed = connection.destroyed();
  if (destroyed) return destroyed;
  const { code, message, position } = error as Readonly<Record<string, unknown>>;
  const at = Number(asText(position) ?? 0) - prefix;
  return {
    sqlState: /^[0-9A-Z]{5}$/.test(asText(code) ?? '') ? String(code) : '08006',
    message: asText(message) ?? 'The connection to the database was lost.',
    position: at > 0 ? at : null,
  };
};
