import type { EventStore } from '@tapedeck/eventing';
import { Client } from 'pg';
import type { CompletedImport } from './importer.ts';
import type { Acknowledged } from './writers.ts';

/** An event as SQL has it. The check uses nothing of the product but its decryption of the tags. */
export type TapeRow = Readonly<{
  position: string;
  stream: string;
  version: number;
  data: Readonly<{ tags?: readonly string[] }>;
  correlation: string;
}>;

export type ExpectedOnTape = Readonly<{
  acknowledged: readonly Acknowledged[];
  imports: readonly CompletedImport[];
  /** The positions that a follower of the tape has read, in its order. */
  followed: readonly bigint[];
}>;

export type TapeReport = Readonly<{ events: number; problems: readonly string[] }>;

const readAll = async (url: string): Promise<readonly TapeRow[]> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<TapeRow>(
      `select position, stream, version, data, metadata->>'correlationId' as correlation
       from tape_events order by position`,
    );
    return rows;
  } finally {
    await client.end();
  }
};

const streamProblems = (rows: readonly TapeRow[]): readonly string[] => {
  const versions = new Map<string, number>();
  return rows.flatMap(({ stream, version, position }) => {
    const expected = (versions.get(stream) ?? 0) + 1;
    versions.set(stream, version);
    return version === expected
      ? []
      : [`${stream} has version ${version} at position ${position}, not ${expected}`];
  });
};

const markersOf = (rows: readonly TapeRow[]): ReadonlyMap<string, readonly bigint[]> => {
  const found = new Map<string, bigint[]>();
  for (const { data, position, stream } of rows) {
    if (!stream.startsWith('favourites-')) continue;
    for (const marker of data.tags ?? []) {
      const positions = found.get(marker) ?? [];
      positions.push(BigInt(position));
      found.set(marker, positions);
    }
  }
  return found;
};

const writerProblems = (
  rows: readonly TapeRow[],
  acknowledged: readonly Acknowledged[],
): readonly string[] => {
  const markers = markersOf(rows);
  const problems: string[] = [];
  for (const [marker, positions] of markers) {
    if (positions.length > 1) problems.push(`${marker} stands ${positions.length} times on the tape`);
  }
  const last = new Map<string, bigint>();
  for (const { writer, marker, position } of acknowledged) {
    const [found] = markers.get(marker) ?? [];
    if (found === undefined) problems.push(`${marker} was acknowledged but is not on the tape`);
    // A repeated change is answered with the end of its stream.
    else if (found > position) {
      problems.push(`${marker} was acknowledged at position ${position}, but is at ${found}`);
    }
    if (found !== undefined && found <= (last.get(writer) ?? 0n)) {
      problems.push(`${marker} stands before an earlier change of the same writer`);
    }
    if (found !== undefined) last.set(writer, found);
  }
  return problems;
};

const importProblems = (rows: readonly TapeRow[], imports: readonly CompletedImport[]): readonly string[] => {
  const changes = new Map<string, number>();
  for (const { correlation, stream } of rows) {
    if (stream.startsWith('strategy-')) changes.set(correlation, (changes.get(correlation) ?? 0) + 1);
  }
  return imports.flatMap(({ id, changes: expected }) =>
    changes.get(id) === expected
      ? []
      : [`import ${id} reported ${expected} changes, but the tape has ${changes.get(id) ?? 0}`],
  );
};

const followerProblems = (rows: readonly TapeRow[], followed: readonly bigint[]): readonly string[] => {
  const problems = rows.flatMap(({ position }, index) =>
    followed[index] === BigInt(position)
      ? []
      : [`a follower read position ${followed[index] ?? 'nothing'} where the tape has ${position}`],
  );
  return followed.length > rows.length
    ? [...problems, `a follower read ${followed.length - rows.length} events more than the tape has`]
    : problems.slice(0, 1);
};

/** What is wrong with a tape, in the order of its positions. */
export const tapeProblems = (
  rows: readonly TapeRow[],
  { acknowledged, imports, followed }: ExpectedOnTape,
): readonly string[] => [
  ...streamProblems(rows),
  ...writerProblems(rows, acknowledged),
  ...importProblems(rows, imports),
  ...followerProblems(rows, followed),
];

const pageSize = 2_000;

/** By position. Tags are personal: SQL has them encrypted. */
const readTags = async (store: EventStore): Promise<ReadonlyMap<string, readonly string[]>> => {
  const found = new Map<string, readonly string[]>();
  for (let after = 0n; ;) {
    const page = await store.readTape({ after, limit: pageSize });
    if (page.position === after) return found;
    after = page.position;
    for (const { position, data } of page.events) {
      const { tags } = data as Readonly<{ tags?: unknown }>;
      if (Array.isArray(tags)) found.set(String(position), tags.map(String));
    }
  }
};

/** Whether the versions of every stream have no hole, and of how many strategies the tape knows. */
export const verifyStreams = async (
  url: string,
): Promise<Readonly<{ strategies: number; problems: readonly string[] }>> => {
  const rows = await readAll(url);
  const streams = new Set(rows.map(({ stream }) => stream));
  return {
    strategies: [...streams].filter((stream) => stream.startsWith('strategy-')).length,
    problems: streamProblems(rows),
  };
};

/** Reads the whole tape by SQL and compares it with the answers to the writers and with what followers have seen. */
export const verifyTape = async (
  url: string,
  store: EventStore,
  expected: ExpectedOnTape,
): Promise<TapeReport> => {
  const tags = await readTags(store);
  const rows = (await readAll(url)).map((row) => ({ ...row, data: { tags: tags.get(row.position) ?? [] } }));
  return { events: rows.length, problems: tapeProblems(rows, expected) };
};
