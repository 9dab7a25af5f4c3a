export type PineVersion = 3 | 4 | 5 | 6;

export type PineInput = Readonly<{
  name: string;
  label: string;
  type: 'int' | 'float' | 'bool';
  value: number | boolean;
}>;

/** The syntax of one version of the language. */
export type Dialect = Readonly<{
  version: PineVersion;
  /** A technical function: `sma` or `ta.sma`. */
  ta: (name: string) => string;
  math: (name: string) => string;
  color: (name: string) => string;
  input: (input: PineInput) => string;
  /** The value of an expression on another chart. */
  security: (ticker: string, timeframe: string, expression: string) => string;
  ticker: string;
  timeframe: string;
  heikinAshi: string;
  /** A statement that runs when a condition holds. */
  when: (condition: string, statement: string) => readonly string[];
}>;

const typedInput = (version: PineVersion, { label, type, value }: PineInput): string => {
  const name = JSON.stringify(label);
  if (version >= 5) return `input.${type}(${value}, ${name}${type === 'int' ? ', minval = 1' : ''})`;
  const long = { int: 'integer', float: 'float', bool: 'bool' }[type];
  const typed = version === 4 ? `input.${long}` : long;
  return `input(${value}, title = ${name}, type = ${typed}${type === 'int' ? ', minval = 1' : ''})`;
};

export const dialectOf = (version: PineVersion): Dialect => {
  const modern = version >= 5;
  const ticker = version === 3 ? 'tickerid' : 'syminfo.tickerid';
  return {
    version,
    ta: (name) => (modern ? `ta.${name}` : name),
    math: (name) => (modern ? `math.${name}` : name),
    color: (name) => (version === 3 ? name : `color.${name}`),
    input: (input) => `${input.name} = ${typedInput(version, input)}`,
    security: (symbol, timeframe, expression) =>
      `${modern ? 'request.security' : 'security'}(${symbol}, ${timeframe}, ${expression})`,
    ticker,
    timeframe: version === 3 ? 'period' : 'timeframe.period',
    heikinAshi: `${modern ? 'ticker.heikinashi' : 'heikinashi'}(${ticker})`,
    when: (condition, statement) =>
      modern ? [`if ${condition}`, `    ${statement}`] : [statement.replace(/\)$/, `, when = ${condition})`)],
  };
};
