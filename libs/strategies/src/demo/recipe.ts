import { weightedBlocks } from './blocks/weighted-blocks.ts';
import type { Block } from './blocks/block.ts';
import { drawExit, type Exit } from './exits.ts';
import { drawSetting, type Setting } from './markets.ts';
import type { PineInput, PineVersion } from './pine-dialect.ts';
import { weighted, type Random } from './random.ts';

export type Direction = 'both' | 'long' | 'short';

/** From which code, texts and settings of one strategy are generated. */
export type Recipe = Readonly<{
  setting: Setting;
  /** YYYY-MM-DD. */
  published: string;
  version: PineVersion;
  trigger: Block;
  filters: readonly Block[];
  exit: Exit;
  direction: Direction;
  inputs: readonly PineInput[];
  overlay: boolean;
  /** Null when the script does not state it. */
  initialCapital: number | null;
  order: Readonly<{ kind: 'percent' | 'cash' | 'contracts'; value: number }> | null;
  commission: number | null;
  slippage: number | null;
  pyramiding: number | null;
}>;

const day = 86_400_000;
const firstDay = Date.UTC(2017, 2, 1);
const lastDay = Date.UTC(2026, 9, 31);
const isoDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The day from which scripts are written in a version of the language. */
const versions: readonly (readonly [from: string, version: PineVersion])[] = [
  ['2024-12-01', 6],
  ['2021-11-01', 5],
  ['2019-07-01', 4],
];

const versionAt = (published: string, random: Random): PineVersion => {
  // Some authors keep using the previous version for a while.
  const learnedUntil = isoDay(Date.parse(published) - Math.min(random.logNormal(60, 1.2), 900) * day);
  return versions.find(([from]) => learnedUntil >= from)?.[1] ?? 3;
};

const blockOf: Readonly<Record<PineVersion, (random: Random) => Block>> = {
  3: weighted(weightedBlocks.filter(([{ from = 3 }]) => from <= 3)),
  4: weighted(weightedBlocks),
  5: weighted(weightedBlocks),
  6: weighted(weightedBlocks),
};

const drawBlockCount = weighted<number>([
  [1, 26],
  [2, 40],
  [3, 24],
  [4, 8],
  [5, 2],
]);

const drawBlocks = (version: PineVersion, random: Random): readonly [Block, ...Block[]] => {
  const trigger = blockOf[version](random);
  const filters = new Set<Block>();
  const wanted = drawBlockCount(random);
  while (filters.size < wanted - 1) {
    const block = blockOf[version](random);
    if (block !== trigger) filters.add(block);
  }
  return [trigger, ...filters];
};

const stated = <Value>(random: Random, probability: number, draw: () => Value): Value | null =>
  random.chance(probability) ? draw() : null;

const percentOrder = (random: Random): Recipe['order'] => ({
  kind: 'percent',
  value: random.pick([5, 10, 10, 20, 25, 50, 100, 100, 100]),
});
const cashOrder = (random: Random): Recipe['order'] => ({
  kind: 'cash',
  value: random.pick([100, 500, 1_000, 10_000]),
});
const contractOrder = (random: Random): Recipe['order'] => ({
  kind: 'contracts',
  value: random.pick([1, 1, 2, 5]),
});
const drawOrder = weighted([
  [percentOrder, 80],
  [cashOrder, 10],
  [contractOrder, 10],
]);

const drawDirection = weighted<Direction>([
  ['both', 62],
  ['long', 34],
  ['short', 4],
]);

export const drawRecipe = (random: Random): Recipe => {
  // The number of publications grows every year.
  const published = isoDay(firstDay + Math.sqrt(random.next()) * (lastDay - firstDay));
  const version = versionAt(published, random);
  const [trigger, ...filters] = drawBlocks(version, random);
  const exit = drawExit(random);
  const choices = [...[trigger, ...filters].flatMap(({ inputs }) => inputs), ...exit.inputs];
  return {
    setting: drawSetting(random),
    published,
    version,
    trigger,
    filters,
    exit,
    direction: drawDirection(random),
    inputs: choices.map(({ name, label, type, values }) => ({
      name,
      label,
      type,
      value: random.pick(values),
    })),
    overlay: [trigger, ...filters].some(({ draws }) => draws !== undefined),
    initialCapital: stated(random, 0.9, () =>
      random.pick([100, 1_000, 1_000, 5_000, 10_000, 10_000, 10_000, 50_000, 100_000, 1_000_000]),
    ),
    order: stated(random, 0.88, () => drawOrder(random)(random)),
    commission: stated(random, 0.75, () =>
      random.pick([0.01, 0.02, 0.04, 0.05, 0.06, 0.075, 0.1, 0.1, 0.1, 0.2]),
    ),
    slippage: stated(random, 0.4, () => random.pick([0, 1, 1, 2, 3, 5, 10])),
    pyramiding: stated(random, 0.5, () => random.pick([0, 0, 0, 1, 1, 2, 3, 5, 10])),
  };
};

export const blocksOf = ({ trigger, filters }: Recipe): readonly Block[] => [trigger, ...filters];

/** The indicators that the code computes, the main ones first. */
export const indicatorsOf = (recipe: Recipe): readonly string[] => [
  ...new Set([
    ...blocksOf(recipe).map(({ indicator }) => indicator),
    ...blocksOf(recipe).flatMap(({ uses = [] }) => uses),
    ...(recipe.exit.uses ?? []),
  ]),
];
