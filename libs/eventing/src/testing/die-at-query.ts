// Loaded by `node --import` into a process that its parent wants to end by SIGKILL at a query. The parent sends the point.
import pg from 'pg';

export type DeathPoint = Readonly<{
  /** Before the query is sent, after its result was received, or before its transaction is committed. */
  when: 'before' | 'after' | 'commit';
  /** Texts that the query contains, or one of its values. */
  contains: readonly string[];
  /** How many of these queries come until then; 1 by default. */
  nth?: number;
}>;

type Query = (this: object, ...args: readonly unknown[]) => unknown;
type QueryConfig = Readonly<{ text: string; values?: readonly unknown[] }>;

const client = pg.Client.prototype as unknown as { query: Query };
const { query } = client;
/** Connections whose transaction contains the query. */
const reached = new WeakSet<object>();
let point: DeathPoint | undefined;
let left = 0;

const die = (): void => void process.kill(process.pid, 'SIGKILL');

const textOf = ([first, second]: readonly unknown[]): string => {
  const { text, values = second } = typeof first === 'string' ? { text: first } : (first as QueryConfig);
  return [text, ...(Array.isArray(values) ? values.map(String) : [])].join('\n');
};

client.query = function dieOrQuery(...args) {
  if (!point) return query.apply(this, [...args]);
  const text = textOf(args);
  const { when, contains } = point;
  if (when === 'commit' && text === 'commit' && reached.has(this)) die();
  const isPoint = contains.every((part) => text.includes(part)) && --left <= 0;
  if (isPoint && when === 'before') die();
  if (isPoint && when === 'commit') reached.add(this);
  const isLast = isPoint && when === 'after';
  const result = query.apply(
    this,
    isLast ? args.map((arg) => (typeof arg === 'function' ? die : arg)) : [...args],
  );
  if (isLast && result instanceof Promise) void result.then(die);
  return result;
};

process.on('message', (message: Readonly<{ dieAt?: DeathPoint }>) => {
  point = message.dieAt;
  left = point?.nth ?? 1;
  process.send?.({ type: 'armed' });
});
