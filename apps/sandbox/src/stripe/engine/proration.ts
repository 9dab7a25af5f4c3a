/** `amount` × `part` / `whole` in minor units, halves away from zero; exact for safe integers. */
export const share = (amount: number, part: number, whole: number): number => {
  if (whole <= 0) return 0;
  const product = BigInt(Math.abs(amount)) * BigInt(Math.max(0, part));
  const rounded = Number((product * 2n + BigInt(whole)) / (2n * BigInt(whole)));
  return amount < 0 && rounded !== 0 ? -rounded : rounded;
};

export type Span = Readonly<{ start: number; end: number }>;

/** What of an amount for a span is not used at `time`. */
export const unusedPart = (amount: number, { start, end }: Span, time: number): number =>
  share(amount, Math.min(end - start, end - time), end - start);
