export const scales = ['linear', 'log', 'quantile'] as const;
export type Scale = (typeof scales)[number];

/** How figures of a kind are stored and shown. */
type FigureKind = Readonly<{
  unit: '' | '%';
  /** Precision: the number of steps per one. Engines compare the same numbers, as floats or as scaled integers. */
  unitsPerOne: 1 | 1_000;
  /** Up to this distance from zero a logarithmic axis is linear. */
  linearAround: number;
  /** Of a dragged value. */
  decimals: number;
}>;

const kinds = {
  percent: { unit: '%', unitsPerOne: 1_000, linearAround: 1, decimals: 0 },
  ratio: { unit: '', unitsPerOne: 1_000, linearAround: 0.1, decimals: 2 },
  count: { unit: '', unitsPerOne: 1, linearAround: 1, decimals: 0 },
} as const satisfies Readonly<Record<string, FigureKind>>;

type FacetRow = Readonly<{
  /** Column of the read model; with `min_` and `max_` also the query parameters. */
  parameter: string;
  kind: keyof typeof kinds;
  /** A bound with this value is open, like a missing one. */
  openBounds: readonly [low: number, high: number];
  /** The slider of a catalogue without any value. */
  emptyAxis: readonly [low: number, high: number];
  /** One arrow key; a page key moves ten steps. */
  step: number;
  /** Of the histogram, until the member chooses another one. */
  scale: Scale;
  bins: 20 | 40;
  label: string;
  /** Shorter than the label, for the chip of an active filter. */
  chip?: string;
  /** As in "512 without P&L". */
  shortName: string;
  csv: string;
  /** A token of the design system. */
  colour: 'pnl' | 'dd' | 'pf' | 'sharpe' | 'plain';
  /** The section of the filter panel; `more` is collapsed. */
  group: 'performance' | 'popularity' | 'more';
  sort?: Readonly<{ field: string; name: string }>;
}>;

/** Version of a stored row, in the read model and in the index: raised with every change of its figures. */
export const rowVersion = 4;

/**
 * Every figure with a slider and a histogram, in the order of the panel. To add one, add a row here and the figure to
 * `figuresOf` of the strategies, and raise `rowVersion`: read model and index are then filled again beside the live ones.
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

export type Facet = FacetRow & FigureKind & Readonly<{ parameter: FacetParameter }>;

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
