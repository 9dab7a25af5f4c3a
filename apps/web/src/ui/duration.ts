const units = [
  { name: 'd', seconds: 86_400 },
  { name: 'h', seconds: 3_600 },
  { name: 'min', seconds: 60 },
] as const;

/** In one unit: `0 s`, `42 s`, `3 min`, `5 h`, `12 d`. */
export const formatDuration = (seconds: number): string => {
  const unit = units.find((one) => seconds >= one.seconds * 1.5);
  return unit ? `${Math.round(seconds / unit.seconds)} ${unit.name}` : `${Math.round(seconds)} s`;
};

/** Between two times in ISO 8601. */
export const secondsBetween = (from: string, to: string): number =>
  Math.max(0, (Date.parse(to) - Date.parse(from)) / 1_000);
