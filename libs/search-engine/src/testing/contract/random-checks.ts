import type { SearchEngine, SearchHit } from '../../search-port.ts';
import { randomBrush, randomFilter, randomOrder, randomQuery, type Random } from '../random-catalogue.ts';
import { expectSame, type Catalogue } from './test-engine.ts';

/** Compares an answer with the oracle's. */
type Verify = () => void;
/** Sends one random request. */
type Check = (engine: SearchEngine, catalogue: Catalogue, random: Random) => Promise<Verify>;

export const collectHits = async (
  pages: AsyncIterable<readonly SearchHit[]>,
): Promise<readonly SearchHit[]> => {
  const hits: SearchHit[] = [];
  for await (const page of pages) hits.push(...page);
  return hits;
};

const checkSearch: Check = async (engine, { oracle, rows, knownValues }, random) => {
  const query = randomQuery(random, knownValues);
  const { position: _position, ...answer } = await engine.search(query);
  return () => expectSame(query, answer, { ...oracle.search(query), demo: rows.some((row) => row.demo) });
};

const checkBrush: Check = async (engine, { oracle, knownValues }, random) => {
  const query = randomBrush(random, knownValues);
  const { position: _position, ...answer } = await engine.brush(query);
  return () => expectSame(query, answer, oracle.brush(query, answer.snapPoints));
};

const checkIndicators: Check = async (engine, { oracle, knownValues }, random) => {
  const filter = randomFilter(random, knownValues);
  const { counts } = await engine.countIndicators(filter);
  const sortedEntries = (map: ReadonlyMap<string, number>): unknown =>
    [...map].sort(([a], [b]) => (a < b ? -1 : 1));
  return () => expectSame(filter, sortedEntries(counts), sortedEntries(oracle.countIndicators(filter)));
};

const checkList: Check = async (engine, { oracle, knownValues }, random) => {
  const filter = randomFilter(random, knownValues);
  const order = randomOrder(random);
  const limit = random.pick([1, 7, 100, 10_000]);
  const hits = await collectHits(engine.list(filter, order, limit));
  return () => expectSame({ filter, order, limit }, hits, oracle.list(filter, order, limit));
};

const checkSimilar: Check = async (engine, { oracle, knownValues }, random) => {
  const { ids } = knownValues;
  const urlId = random.chance(0.1) || ids.length === 0 ? 'Unknown1' : random.pick(ids);
  const limit = 1 + random.below(24);
  const similar = await engine.similar(urlId, limit);
  return () => expectSame({ urlId, limit }, similar, oracle.similar(urlId, limit));
};

const checks: readonly Check[] = [
  checkSearch,
  checkSearch,
  checkSearch,
  checkSearch,
  checkBrush,
  checkSearch,
  checkList,
  checkBrush,
  checkSimilar,
  checkIndicators,
];

const checkAt = (at: number): Check => checks[at % checks.length] ?? checkSearch;

/** Sends this many random requests of all kinds, one after the other, and compares every answer with the oracle's. */
export const expectRandomRequestsToEqualOracle = async (
  engine: SearchEngine,
  catalogue: Catalogue,
  random: Random,
  requests: number,
): Promise<void> => {
  for (let at = 0; at < requests; at++) (await checkAt(at)(engine, catalogue, random))();
};

/** Sends the requests of several clients at once. Answers are compared at the end: the oracle would delay requests. */
export const expectConcurrentRequestsToEqualOracle = async (
  engine: SearchEngine,
  catalogue: Catalogue,
  clients: readonly Random[],
  requestsPerClient: number,
): Promise<void> => {
  const verifications = await Promise.all(
    clients.map(async (random) => {
      const own: Verify[] = [];
      for (let at = 0; at < requestsPerClient; at++) own.push(await checkAt(at)(engine, catalogue, random));
      return own;
    }),
  );
  for (const verify of verifications.flat()) verify();
};
