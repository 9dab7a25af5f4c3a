import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@tapedeck/kernel';
import fc from 'fast-check';
import { checkAsyncProperty } from '../../testing/property.ts';
import { testDatabase, type TestDatabase } from '../../testing/test-database.ts';

const noStream = 0;
const exists = -1;
const any = -2;

type SampleAppend = Readonly<{
  stream: string;
  expected: number;
  events: number;
  /** The append has the id of the n-th earlier event of its stream, if there is one. */
  repeats: number | null;
}>;

/** Most have one event and a known version, as commands have. */
const sampleAppend: fc.Arbitrary<SampleAppend> = fc.record({
  stream: fc.constantFrom(...'abcdefghijkl'),
  expected: fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(noStream, 1, 2, 3) },
    { weight: 1, arbitrary: fc.constantFrom(exists, any, 2_147_483_646, 2_147_483_647) },
  ),
  events: fc.oneof({ weight: 30, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.constant(2) }),
  repeats: fc.option(fc.nat(3), { freq: 4 }),
});
const batchOf = (minLength: number, maxLength: number): fc.Arbitrary<readonly SampleAppend[]> =>
  fc.uniqueArray(sampleAppend, { selector: ({ stream }) => stream, minLength, maxLength });
/** The function writes eight and more in another way than fewer. */
const batches = fc.array(fc.oneof(batchOf(1, 7), batchOf(8, 12)), { minLength: 1, maxLength: 8 });

describe('batches of appends', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.drop());

  /** Executes batches on streams of their own, and remembers the ids of their events. */
  const sampleTape = () => {
    const prefix = newId();
    const ids = new Map<string, string[]>();
    const idsOf = (stream: string): string[] => {
      const known = ids.get(stream) ?? [];
      ids.set(stream, known);
      return known;
    };
    const send = async (batch: readonly SampleAppend[]): Promise<readonly string[]> => {
      const appends = batch
        .map((append) => {
          const earlier = append.repeats === null ? undefined : idsOf(append.stream)[append.repeats];
          const repeated = append.events === 1 ? earlier : undefined;
          return { ...append, ids: repeated ? [repeated] : Array.from({ length: append.events }, newId) };
        })
        .sort((one, other) => (one.stream < other.stream ? -1 : 1));
      const events = appends.flatMap((append) => append.ids);
      const { rows } = await database.pool.query<{ outcome: string; version: number; position: string }>(
        `select * from tape_append($1, $2, $3, $4, array_fill('Counted'::text, array[$5::int]),
           array_fill(1::smallint, array[$5]), array_fill('{}'::json, array[$5]), array_fill('{}'::json, array[$5]))`,
        [
          appends.map(({ stream }) => `${prefix}-${stream}`),
          appends.map(({ expected }) => expected),
          appends.map((append) => append.ids.length),
          events,
          events.length,
        ],
      );
      for (const [index, { outcome, version, position }] of rows.entries()) {
        const append = appends[index];
        if (outcome === 'a' && append) {
          idsOf(append.stream).push(...append.ids);
          expect(await positionOf(`${prefix}-${append.stream}`, version)).toBe(position);
        }
      }
      return rows.map(({ outcome, version }) => `${outcome}${version}`);
    };
    const content = async () => {
      const { rows } = await database.pool.query<{ stream: string; versions: readonly number[] }>(
        `select substr(s.stream, $2) as stream, s.version, s.recorded_at is not null as timed,
           array_agg(e.version order by e.position) as versions
         from tape_streams s left join tape_events e using (stream)
         where s.stream like $1 || '-%' group by s.stream order by s.stream`,
        [prefix, prefix.length + 2],
      );
      return rows;
    };
    return { send, content, ids };
  };
  const positionOf = async (stream: string, version: number): Promise<string | undefined> => {
    const { rows } = await database.pool.query<{ position: string }>(
      'select position from tape_events where stream = $1 and version = $2',
      [stream, version],
    );
    return rows[0]?.position;
  };

  it('have the outcomes, the positions and the events of their appends sent one by one', async () => {
    await checkAsyncProperty(
      fc.asyncProperty(batches, async (sent) => {
        const [together, alone] = [sampleTape(), sampleTape()];
        for (const batch of sent) {
          const outcomes = await together.send(batch);
          const outcomesAlone: string[] = [];
          for (const append of batch.toSorted((a, b) => (a.stream < b.stream ? -1 : 1)))
            outcomesAlone.push(...(await alone.send([append])));
          expect(outcomes).toEqual(outcomesAlone);
        }
        const content = await together.content();
        expect(content).toEqual(await alone.content());
        const appended = [...together.ids]
          .filter(([, ids]) => ids.length > 0)
          .toSorted(([a], [b]) => (a < b ? -1 : 1));
        expect(content).toEqual(
          appended.map(([stream, ids]) => ({
            stream,
            version: ids.length,
            timed: true,
            versions: ids.map((_, index) => index + 1),
          })),
        );
      }),
      { numRuns: 150 },
    );
  });

  it('whose ids belong to other appends are refused as a whole', async () => {
    const tape = sampleTape();
    const one = (stream: string): SampleAppend => ({ stream, expected: noStream, events: 1, repeats: null });
    await tape.send([one('a')]);
    tape.ids.set('b', tape.ids.get('a') ?? []);
    await expect(tape.send([{ ...one('b'), repeats: 0 }, one('c')])).rejects.toMatchObject({ code: 'TAPE1' });
    expect((await tape.content()).map(({ stream }) => stream)).toEqual(['a']);
  });
});
