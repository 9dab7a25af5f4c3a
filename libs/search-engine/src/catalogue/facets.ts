import { kinds, type FacetRow, type FigureKind } from './facet-row.ts';

/** Version of a stored row, in the read model and in the index: raised with every change of its figures. */
export const rowVersion = 4;

/**
 * Every figure with a slider and a histogram, in the order of the panel, of comparisons and of cards. To add one, add a
 * row here and the figure to `figuresOf` of the strategies, and raise `rowVersion`: read model and index are then filled
 * again beside the live ones.
 */
const rows = {
  totalPandlPercent: {
    parameter: 'total_pandl_percent',
    kind: 'percent',
    openBounds: [-999_999, 999_999_999],
    emptyAxis: [-100, 300_000_000],
    step: 1,
    scale: 'quantile',
    bins: 40,
    label: 'Total P&L',
    chip: 'P&L',
    shortName: 'P&L',
    csv: 'Total P&L %',
    colour: 'pnl',
    group: 'performance',
    sort: { field: 'total_pandl', name: 'Total P&L' },
    item: { text: 'total_pandl_percent' },
    better: 'more',
    isGain: true,
    card: { meter: 'P&L' },
  },
  maxDrawdownPercent: {
    parameter: 'max_drawdown_percent',
    kind: 'percent',
    openBounds: [0, 100],
    emptyAxis: [0, 100],
    step: 1,
    scale: 'linear',
    bins: 40,
    label: 'Max drawdown',
    shortName: 'drawdown',
    csv: 'Max drawdown %',
    colour: 'dd',
    group: 'performance',
    sort: { field: 'max_equity_drawdown', name: 'Max Drawdown' },
    item: { text: 'max_drawdown_percent' },
    better: 'less',
    card: { meter: 'Max DD' },
  },
  profitFactor: {
    parameter: 'profit_factor',
    kind: 'ratio',
    openBounds: [0, 999_999],
    emptyAxis: [0, 10],
    step: 0.1,
    scale: 'linear',
    bins: 20,
    label: 'Profit factor',
    shortName: 'PF',
    csv: 'Profit factor',
    colour: 'pf',
    group: 'performance',
    sort: { field: 'profit_factor', name: 'Profit Factor' },
    item: { text: 'profit_factor_numeric' },
    better: 'more',
    card: { meter: 'PF' },
  },
  sharpeRatio: {
    parameter: 'sharpe_ratio',
    kind: 'ratio',
    openBounds: [-999, 999],
    emptyAxis: [-5, 5],
    step: 0.01,
    scale: 'linear',
    bins: 20,
    label: 'Sharpe ratio',
    chip: 'Sharpe',
    shortName: 'Sharpe',
    csv: 'Sharpe ratio',
    colour: 'sharpe',
    group: 'performance',
    sort: { field: 'sharpe_ratio_all', name: 'Sharpe Ratio' },
    item: { text: 'sharpe_ratio_numeric' },
    better: 'more',
    card: { meter: 'Sharpe' },
  },
  likes: {
    parameter: 'likes',
    kind: 'count',
    openBounds: [0, 999_999],
    emptyAxis: [0, 20_349],
    step: 100,
    scale: 'quantile',
    bins: 40,
    label: 'Likes',
    shortName: 'likes',
    csv: 'Likes',
    colour: 'plain',
    group: 'popularity',
    sort: { field: 'likes', name: 'Likes' },
    item: { number: 'likes' },
    better: 'more',
    card: { icon: 'heart' },
  },
  views: {
    parameter: 'views',
    kind: 'count',
    openBounds: [0, 999_999],
    emptyAxis: [0, 999],
    step: 10,
    scale: 'quantile',
    bins: 40,
    label: 'Views',
    shortName: 'views',
    csv: 'Views',
    colour: 'plain',
    group: 'popularity',
    sort: { field: 'views', name: 'Views' },
    item: { number: 'views' },
    better: 'more',
    card: { icon: 'eye' },
  },
  comments: {
    parameter: 'comments',
    kind: 'count',
    openBounds: [0, 999_999],
    emptyAxis: [0, 53],
    step: 1,
    scale: 'quantile',
    bins: 20,
    label: 'Comments',
    shortName: 'comments',
    csv: 'Comments',
    colour: 'plain',
    group: 'popularity',
    item: { number: 'comments' },
    better: 'more',
  },
  codeLines: {
    parameter: 'code_lines',
    kind: 'count',
    openBounds: [0, 999_999],
    emptyAxis: [0, 4_328],
    step: 50,
    scale: 'quantile',
    bins: 40,
    label: 'Lines of code',
    shortName: 'lines',
    csv: 'Lines of code',
    colour: 'plain',
    group: 'popularity',
    item: { number: 'code_lines' },
    better: null,
  },
  totalTrades: {
    parameter: 'total_trades',
    kind: 'count',
    openBounds: [0, 999_999],
    emptyAxis: [0, 1_000],
    step: 10,
    scale: 'quantile',
    bins: 40,
    label: 'Trades',
    shortName: 'trades',
    csv: 'Total trades',
    colour: 'plain',
    group: 'more',
    sort: { field: 'total_trades', name: 'Trades' },
    item: { text: 'total_trades' },
    better: null,
    card: { icon: 'trades' },
  },
  winRate: {
    parameter: 'win_rate',
    kind: 'percent',
    openBounds: [0, 100],
    emptyAxis: [0, 100],
    step: 1,
    scale: 'linear',
    bins: 40,
    label: 'Win rate',
    shortName: 'win rate',
    csv: 'Win rate %',
    colour: 'plain',
    group: 'more',
    sort: { field: 'win_rate', name: 'Win Rate' },
    item: { text: 'win_rate' },
    better: 'more',
  },
} as const satisfies Readonly<Record<string, FacetRow>>;

type Rows = typeof rows;
export type FacetField = keyof Rows;
export type FacetParameter = Rows[FacetField]['parameter'];

/** In the order of the filter panel. */
export const facetFields = Object.keys(rows) as readonly FacetField[]; // `Object.keys` forgets the names of a literal.

/** A value for each facet. */
export const facetRecord = <T>(value: (field: FacetField) => T): Readonly<Record<FacetField, T>> =>
  Object.fromEntries(facetFields.map((field) => [field, value(field)])) as Record<FacetField, T>;

/** The figures of a strategy; null is unknown, Infinity is a profit factor without a losing trade. */
export type Figures = Readonly<Record<FacetField, number | null>>;

export type Facet = Omit<FacetRow, 'parameter' | 'item'> &
  FigureKind &
  Pick<Rows[FacetField], 'parameter' | 'item'>;

export const facets: Readonly<Record<FacetField, Facet>> = facetRecord((field) => ({
  ...kinds[rows[field].kind],
  ...rows[field],
}));

/** The scales of the histograms until the member chooses others. */
export const defaultScale = facetRecord((field) => facets[field].scale);

/** A value for each facet, by its parameter. */
export const parameterRecord = <T>(value: (field: FacetField) => T): Readonly<Record<FacetParameter, T>> =>
  Object.fromEntries(facetFields.map((field) => [facets[field].parameter, value(field)])) as Record<
    FacetParameter,
    T
  >;

type SortOf<Row> = Row extends { readonly sort: { readonly field: infer Field } } ? Field : never;
/** The names by which a list can be sorted by a facet. */
export type FacetSort = SortOf<Rows[FacetField]>;

type NameOf<Item, Form extends string> =
  Item extends Readonly<Record<Form, infer Name extends string>> ? Name : never;
type ItemName<Form extends string> = NameOf<Rows[FacetField]['item'], Form>;

/** A value for each facet, by its name in the items of lists. */
export const itemRecord = <Text, Number>(
  text: (field: FacetField) => Text,
  number: (field: FacetField) => Number,
): Readonly<Record<ItemName<'text'>, Text> & Record<ItemName<'number'>, Number>> => {
  const entries = facetFields.map((field) => {
    const { item } = facets[field];
    return 'text' in item ? [item.text, text(field)] : [item.number, number(field)];
  });
  return Object.fromEntries(entries) as ReturnType<typeof itemRecord<Text, Number>>; // It forgets the names.
};
