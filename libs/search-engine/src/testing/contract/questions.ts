import type { SearchEngine, SearchHit } from '../../search-port.ts';
import { randomBrush, randomFilter, randomOrder, randomQuery, type Dice } from '../random-catalogue.ts';
import { expectSame, type Catalogue } from './subject.ts';

/** Asks the engine one thing and compares the answer with the oracle's. */
export type Question = (engine: SearchEngine, catalogue: Catalogue, dice: Dice) => Promise<void>;

export const collected = async (
  pieces: AsyncIterable<readonly SearchHit[]>,
): Promise<readonly SearchHit[]> => {
  const all: SearchHit[] = [];
  for await (const piece of pieces) all.push(...piece);
  return all;
};

const search: Question = async (engine, { oracle, rows, grounds }, dice) => {
  const query = randomQuery(dice, grounds);
  const { position: _position, ...answer } = await engine.search(query);
  expectSame(query, answer, { ...oracle.answer(query), demo: rows.some((row) => row.demo) });
};

const brush: Question = async (engine, { oracle, grounds }, dice) => {
  const query = randomBrush(dice, grounds);
  const { position: _position, ...answer } = await engine.brush(query);
  expectSame(query, answer, oracle.brush(query, answer.stops));
};

const indicators: Question = async (engine, { oracle, grounds }, dice) => {
  const filter = randomFilter(dice, grounds);
  const { counts } = await engine.countIndicators(filter);
  const truth = oracle.countIndicators(filter);
  const inOrder = (map: ReadonlyMap<string, number>): unknown =>
    [...map].sort(([a], [b]) => (a < b ? -1 : 1));
  expectSame(filter, inOrder(counts), inOrder(truth));
};

const list: Question = async (engine, { oracle, grounds }, dice) => {
  const filter = randomFilter(dice, grounds);
  const order = randomOrder(dice);
  const limit = dice.pick([1, 7, 100, 10_000]);
  const answer = await collected(engine.list(filter, order, limit));
  expectSame({ filter, order, limit }, answer, oracle.list(filter, order, limit));
};

const similar: Question = async (engine, { oracle, grounds }, dice) => {
  const urlId = dice.chance(0.1) || grounds.ids.length === 0 ? 'Unknown1' : dice.pick(grounds.ids);
  const limit = 1 + dice.below(24);
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
  dice: Dice,
  questions: number,
): Promise<void> => {
  for (let at = 0; at < questions; at++) await kinds[at % kinds.length]?.(engine, catalogue, dice);
};
