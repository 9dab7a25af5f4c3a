export const scales = ['linear', 'log', 'quantile'] as const;
export type Scale = (typeof scales)[number];

/** How figures of a kind are stored and shown. */
export type FigureKind = Readonly<{
  unit: '' | '%';
  /** Precision: the number of steps per one. Engines compare the same numbers, as floats or as scaled integers. */
  unitsPerOne: 1 | 1_000;
  /** Up to this distance from zero a logarithmic axis is linear. */
  linearAround: number;
  /** Of a dragged value. */
  decimals: number;
}>;

export const kinds = {
  percent: { unit: '%', unitsPerOne: 1_000, linearAround: 1, decimals: 0 },
  ratio: { unit: '', unitsPerOne: 1_000, linearAround: 0.1, decimals: 2 },
  count: { unit: '', unitsPerOne: 1, linearAround: 1, decimals: 0 },
} as const satisfies Readonly<Record<string, FigureKind>>;

export type FacetRow = Readonly<{
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
  /** Its name in the items of lists. Infinity is only in text. */
  item: Readonly<{ text: string } | { number: string }>;
  /** Which of two strategies a comparison marks; null for neither. */
  better: 'more' | 'less' | null;
  /** Above zero it is a gain, with its sign and colour, and below zero a loss. */
  isGain?: true;
  /** On a card of a strategy: a meter with this name, or a number beside this icon. */
  card?: Readonly<{ meter: string } | { icon: 'heart' | 'eye' | 'trades' }>;
}>;
