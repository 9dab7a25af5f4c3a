/** From values to heights, which grow downwards. */
export type Scale = Readonly<{
  y: (value: number) => number;
  /** Round values between the ends, for lines and labels. */
  ticks: readonly number[];
}>;

/** Beyond this ratio of the ends a linear scale would show the last part only. */
const maxLinearRatio = 25;
const wantedTicks = 4;

const roundStep = (span: number): number => {
  const rough = span / wantedTicks;
  const power = 10 ** Math.floor(Math.log10(rough));
  return (([1, 2, 2.5, 5, 10] as const).find((factor) => factor * power >= rough) ?? 10) * power;
};

const linearTicks = (min: number, max: number): readonly number[] => {
  const step = roundStep(max - min || 1);
  const first = Math.ceil(min / step);
  const count = Math.floor(max / step) - first + 1;
  return Array.from({ length: count }, (_, index) => (first + index) * step);
};

const powerTicks = (min: number, max: number): readonly number[] => {
  const [first, last] = [Math.ceil(Math.log10(min)), Math.floor(Math.log10(max))];
  const every = Math.ceil((last - first + 1) / wantedTicks);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
    .filter((power) => (power - first) % every === 0)
    .map((power) => 10 ** power);
};

/** Linear, or by powers of ten where the values span more than that shows. All of them are above 0. */
export const scaleOf = (values: readonly number[], top: number, bottom: number): Scale => {
  const [min, max] = [Math.min(...values), Math.max(...values)];
  const isLinear = max / min <= maxLinearRatio;
  const position = isLinear ? (value: number) => value : Math.log;
  const span = position(max) - position(min) || 1;
  return {
    y: (value) => bottom - ((position(value) - position(min)) / span) * (bottom - top),
    ticks: isLinear ? linearTicks(min, max) : powerTicks(min, max),
  };
};
