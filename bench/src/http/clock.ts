/** Milliseconds on a clock that all threads share. */
export const now = (): number => Number(process.hrtime.bigint()) / 1e6;
