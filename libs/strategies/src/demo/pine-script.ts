import type { Block } from './blocks/block.ts';
import { fillerOf } from './pine-filler.ts';
import { dialectOf, type Dialect, type PineInput } from './pine-dialect.ts';
import type { Random } from './random.ts';
import { blocksOf, type Recipe } from './recipe.ts';

const quantity = {
  percent: 'strategy.percent_of_equity',
  cash: 'strategy.cash',
  contracts: 'strategy.fixed',
};

const declaration = (title: string, recipe: Recipe): readonly string[] => {
  const { overlay, initialCapital, order, commission, slippage, pyramiding } = recipe;
  const settings = [
    ...(initialCapital === null ? [] : [`initial_capital = ${initialCapital}`]),
    ...(order ? [`default_qty_type = ${quantity[order.kind]}`, `default_qty_value = ${order.value}`] : []),
    ...(commission === null
      ? []
      : ['commission_type = strategy.commission.percent', `commission_value = ${commission}`]),
    ...(slippage === null ? [] : [`slippage = ${slippage}`]),
    ...(pyramiding === null ? [] : [`pyramiding = ${pyramiding}`]),
  ];
  const call = `strategy(${JSON.stringify(title)}, overlay = ${overlay}`;
  if (settings.length === 0) return [`${call})`];
  return [
    `${call},`,
    ...settings.map((setting, index) => `     ${setting}${index < settings.length - 1 ? ',' : ')'}`),
  ];
};

const section = (heading: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', `// ${heading}`, ...lines];

const colors = ['blue', 'orange', 'teal', 'purple', 'gray', 'red'];

const plots = (blocks: readonly Block[], { color }: Dialect): readonly string[] =>
  blocks
    .flatMap(({ draws = [] }) => draws)
    .map(
      (name, index) =>
        `plot(${name}, title = "${name}", color = ${color(colors[index % colors.length] ?? 'blue')})`,
    );

const conditions = (recipe: Recipe, dialect: Dialect, also: readonly string[]): readonly string[] => {
  const trigger = recipe.trigger.trigger(dialect);
  const filters = recipe.filters.map((block) => block.filter(dialect));
  const all = (side: 'long' | 'short'): string =>
    [trigger[side], ...filters.map((filter) => filter[side]), ...also]
      .map((part) => (/ and | or /.test(part) ? `(${part})` : part))
      .join(' and ');
  return [`goLong = ${all('long')}`, `goShort = ${all('short')}`];
};

export type Script = Readonly<{ text: string; inputs: readonly PineInput[] }>;

/** The script of a recipe, in its version of the language and with the settings of the record. */
export const writeScript = (
  recipe: Recipe,
  title: string,
  author: string,
  wantedLines: number,
  random: Random,
): Script => {
  const dialect = dialectOf(recipe.version);
  const blocks = blocksOf(recipe);
  const exit = recipe.exit.code(dialect);
  const longs = recipe.direction !== 'short';
  const shorts = recipe.direction !== 'long';
  const head = [
    `//@version=${recipe.version}`,
    `// © ${author}`,
    ...declaration(title, recipe),
    ...section('Inputs', recipe.inputs.map(dialect.input)),
    ...blocks.flatMap((block) => section(block.indicator, block.code(dialect))),
  ];
  const tail = (also: readonly string[]): readonly string[] => [
    ...section('Signals', conditions(recipe, dialect, also)),
    ...section('Entries', [
      ...(longs ? dialect.when('goLong', 'strategy.entry("Long", strategy.long)') : []),
      ...(shorts ? dialect.when('goShort', 'strategy.entry("Short", strategy.short)') : []),
    ]),
    ...section('Exits', [...exit.before, ...(longs ? exit.long : []), ...(shorts ? exit.short : [])]),
    ...section('Plots', plots(blocks, dialect)),
  ];
  const filler = fillerOf(wantedLines - head.length - tail([]).length, dialect, random);
  const lines = [...head, ...filler.lines, ...tail(filler.conditions)];
  return { text: `${lines.join('\n')}\n`, inputs: [...recipe.inputs, ...(filler.inputs ?? [])] };
};
