/** What the charting site knows of a published script. Null is unknown. */
export type Script = Readonly<{
  urlId: string;
  title: string;
  author: string | null;
  symbol: string | null;
  timeframe: string | null;
  /** Of the capital; −100 is all of it. */
  netPercent: number | null;
  /** Positive. */
  drawdownPercent: number | null;
  trades: number | null;
  won: number | null;
  /** Infinity without a loss. */
  profitFactor: number | null;
  /** YYYY-MM-DD. */
  from: string | null;
  to: string | null;
}>;

/** Finds a script by its id; undefined when there is none. */
export type FindScript = (urlId: string) => Promise<Script | undefined>;
