import type { SearchEngine, SearchHit } from '../../search-port.ts';
import { randomBrush, randomFilter, randomOrder, randomQuery, type Random } from '../random-catalogue.ts';
import { expectSame, type Catalogue } from './test-engine.ts';

/** Asks the engine one thing and compares the answer with the oracle's. */
export type Question = (engine: SearchEngine, catalogue: Catalogue, random: Random) => Promise<void>;

export const collected = async (
  pieces: AsyncIterable<readonly SearchHit[]>,
): Promise<readonly SearchHit[]> => {
  const all: SearchHit[] = [];
  for await (const piece of pieces) all.push(...piece);
  return all;
};

const search: Question = async (engine, { oracle, rows, knownValues }, random) => {
  const query = randomQuery(random, knownValues);
  const { position: _position, ...answer } = await engine.search(query);
  expectSame(query, answer, { ...oracle.answer(query), demo: rows.some((row) => row.demo) });
};

const brush: Question = async (engine, { oracle, knownValues }, random) => {
  const query = randomBrush(random, knownValues);
  const { position: _position, ...answer } = await engine.brush(query);
  expectSame(query, answer, oracle.brush(query, answer.stops));
};

const indicators: Question = async (engine, { oracle, knownValues }, random) => {
  const filter = randomFilter(random, knownValues);
  const { counts } = await engine.countIndicators(filter);
  const truth = oracle.countIndicators(filter);
  const inOrder = (map: ReadonlyMap<string, number>): unknown =>
    [...map].sort(([a], [b]) => (a < b ? -1 : 1));
  expectSame(filter, inOrder(counts), inOrder(truth));
};

const list: Question = async (engine, { oracle, knownValues }, random) => {
  const filter = randomFilter(random, knownValues);
  const order = randomOrder(random);
  const limit = random.pick([1, 7, 100, 10_000]);
  const answer = await collected(engine.list(filter, order, limit));
  expectSame({ filter, order, limit }, answer, oracle.list(filter, order, limit));
};

const similar: Question = async (engine, { oracle, knownValues }, random) => {
  const urlId =
    random.chance(0.1) || knownValues.ids.length === 0 ? 'Unknown1' : random.pick(knownValues.ids);
  const limit = 1 + random.below(24);
  expectSame({ urlId, limit }, await engine.similar(urlId, limit), oracle.similar(urlId, limit));
};

const kinds: readonly Question[] = [
  search,
  search,
  search,
  search,
  brush,
  search,
  list,
  brush,
  similar,
  indicators,
];

/** So many questions of all kinds, one after the other. */
export const askRandomly = async (
  engine: SearchEngine,
  catalogue: Catalogue,
  random: Random,
  questions: number,
): Promise<void> => {
  for (let at = 0; at < questions; at++) await kinds[at % kinds.length]?.(engine, catalogue, random);
};
