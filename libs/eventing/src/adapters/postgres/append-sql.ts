import type { AppendResult, ExpectedVersion } from '../../event-store.ts';
import { eventIdReused, type StorableAppend } from '../../store/storable.ts';
import { isTransient, sqlStateOf } from '../../postgres-errors.ts';
import type { TapeConnections, TextRow } from './tape-connections.ts';
import { tapeUnavailable } from './tape-errors.ts';

/** The highest version that the type of the column can contain. */
export const maxVersion = 2_147_483_647;

const expectedCode = (expected: ExpectedVersion): number => {
  switch (expected) {
    case 'NO_STREAM':
      return 0;
    case 'EXISTS':
      return -1;
    case 'ANY':
      return -2;
    default:
      // No stream has that version, so the append ends as a conflict and not with an SQL error.
      return Math.min(expected, maxVersion);
  }
};

// Names and JSON text contain no raw control character, so the separator needs no escaping.
const separator = '\u001f';
const texts = (parameter: number): string => `string_to_array($${parameter}, chr(31))`;
const numbers = (values: readonly (number | string)[]): string => `{${values.join(',')}}`;

const statement = `select outcome, version, position from tape_append(
  ${texts(1)}, $2, $3, $4, ${texts(5)}, $6, ${texts(7)}::json[], ${texts(8)}::json[], $9, to_timestamp($10))`;

const toResult = ([outcome, version, position]: TextRow): AppendResult => {
  if (outcome === 'c') return { outcome: 'conflict', actual: Number(version) };
  return {
    outcome: outcome === 'a' ? 'appended' : 'duplicate',
    version: Number(version),
    position: BigInt(position ?? 0),
  };
};

const toValues = (appends: readonly StorableAppend[], untilMs: number): readonly unknown[] => {
  const events = appends.flatMap((append) => append.events);
  return [
    appends.map((append) => append.stream).join(separator),
    numbers(appends.map((append) => expectedCode(append.expected))),
    numbers(appends.map((append) => append.events.length)),
    numbers(events.map((event) => event.id)),
    events.map((event) => event.type).join(separator),
    numbers(events.map((event) => event.schemaVersion)),
    events.map((event) => event.data).join(separator),
    events.map((event) => event.metadata).join(separator),
    numbers(events.map((event) => event.bytes)),
    untilMs / 1_000,
  ];
};

/**
 * Sends the appends in one call and one transaction: each gets a result, or the call fails as a whole. The server
 * executes the call only if it gets it before the attempt is abandoned.
 */
export const sendAppends = async (
  { use }: TapeConnections,
  appends: readonly StorableAppend[],
  onSent: () => void,
  attemptMs: number,
): Promise<readonly AppendResult[]> => {
  try {
    const rows = await use((connection) => {
      const values = [...toValues(appends, connection.serverTime() + attemptMs)];
      onSent();
      return connection.query({ name: 'tape_append', text: statement, values }, attemptMs);
    });
    return rows.map(toResult);
  } catch (error) {
    const [only] = appends;
    if (sqlStateOf(error) === '53100') throw tapeUnavailable('written', 'the disk of its database is full');
    if (sqlStateOf(error) === 'TAPE1' && only && appends.length === 1) throw eventIdReused(only.stream);
    throw error;
  }
};

/** Whether the appends may be sent again. TAPE2: they came too late; 57014: the server has ended a slow attempt. */
export const isTransientAppend = (error: unknown): boolean =>
  isTransient(error) || ['TAPE2', '57014'].includes(sqlStateOf(error) ?? '');
