import pg from 'pg';

/** Counts strategies by SQL that shares no code with the explorer. */
export type CatalogueSql = Readonly<{
  /** Strategies with a word that begins with `word` and with a P&L between the bounds (null is open). */
  count: (word: string, low?: number | null, high?: number | null) => Promise<number>;
  /** The same, counted per bin between `edges`; the outer bins are open-ended. */
  histogram: (
    word: string,
    column: string,
    edges: readonly number[],
    low?: number | null,
  ) => Promise<number[]>;
  /** Strategies that match an SQL condition, which may use the expressions in `figures`. */
  countWhere: (condition: string) => Promise<number>;
  close: () => Promise<void>;
}>;

const searchText = `concat_ws(' ', title, author, array_to_string(categories, ' '), full_description)`;
const matches = `${searchText} ~* ('(^|[^[:alnum:]])' || $1)`;
/** The percentage in the parentheses of the scraped text. */
const pnl = `replace(replace(substring(total_pandl from '\\(([^)]*)%\\)'), ',', ''), '−', '-')::numeric`;
const drawdown = `replace(substring(max_equity_drawdown from '\\(([^)]*)%\\)'), ',', '')::numeric`;
/** SQL expressions: a figure as a number, null if the source has none. */
export const figures = {
  matches: (word: string) => matches.replace('$1', `'${word}'`),
  pnl,
  drawdown,
  factor: `(case profit_factor when '∞' then 'Infinity' else profit_factor end)::numeric`,
  sharpe: `replace(sharpe_ratio_all, '−', '-')::numeric`,
  symbol: `regexp_replace(regexp_replace(symbol, '^[^:]*:', ''), '[_:/ -]', '', 'g')`,
} as const;
const columns: Readonly<Record<string, string>> = { totalPandlPercent: pnl, maxDrawdownPercent: drawdown };

export const openCatalogue = (url: string): CatalogueSql => {
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  pool.on('error', () => {});
  return {
    count: async (word, low = null, high = null) => {
      const inside = low === null && high === null ? '' : `and ${pnl} between $2 and $3`;
      const bounds = inside ? [low ?? '-Infinity', high ?? 'Infinity'] : [];
      const { rows } = await pool.query<{ n: number }>(
        `select count(*)::int as n from strategies where ${matches} ${inside}`,
        [word, ...bounds],
      );
      return rows[0]?.n ?? 0;
    },
    histogram: async (word, column, edges, low = null) => {
      const { rows } = await pool.query<{ value: string | null }>(
        `select ${columns[column] ?? column} as value from strategies where ${matches}
           and ($2::numeric is null or ${pnl} >= $2)`,
        [word, low],
      );
      const counts = Array.from({ length: edges.length - 1 }, () => 0);
      for (const { value } of rows) {
        if (value === null) continue;
        const above = edges.slice(1, -1).filter((edge) => Number(value) >= edge).length;
        counts[above] = (counts[above] ?? 0) + 1;
      }
      return counts;
    },
    countWhere: async (condition) => {
      const { rows } = await pool.query<{ n: number }>(
        `select count(*)::int as n from strategies where ${condition}`,
      );
      return rows[0]?.n ?? 0;
    },
    close: () => pool.end(),
  };
};
