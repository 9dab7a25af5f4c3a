import type { JSX } from 'react';

const columns = 18;
const rows = 10;
const shades = 10;
const finishedRuns = 173;

/** Two hills, the higher one to the right: what a sweep of two settings tends to look like. */
const resultAt = (column: number, row: number): number => {
  const hill = (x: number, y: number, width: number, height: number): number =>
    height * Math.exp(-((column - x) ** 2 / width + (row - y) ** 2 / (width / 2.6)));
  const roughness = 0.06 * Math.sin(column * 5.3 + row * 2.9);
  return hill(11.4, 2.9, 17, 1) + hill(4.2, 6.4, 7, 0.48) + roughness;
};

const cells = Array.from({ length: columns * rows }, (_, index) => {
  const [column, row] = [index % columns, Math.floor(index / columns)];
  return { column, row, result: resultAt(column, row) };
});
const done = cells.slice(0, finishedRuns);
const best = done.reduce((one, other) => (other.result > one.result ? other : one));

const shadeOf = (result: number): number =>
  Math.max(0, Math.min(shades, Math.round((result / best.result) * shades)));

const pathOf = (some: readonly Readonly<{ column: number; row: number }>[]): string =>
  some.map(({ column, row }) => `M${column + 0.03} ${row + 0.5}h.94`).join('');

const steps = Array.from({ length: shades + 1 }, (_, shade) => ({
  shade,
  path: pathOf(done.filter(({ result }) => shadeOf(result) === shade)),
}));

/** The results of one run per cell, the best one framed; the last runs are still to come. */
export const Sweep = (): JSX.Element => (
  <svg className="sweep" viewBox={`0 0 ${columns} ${rows}`} preserveAspectRatio="none" aria-hidden="true">
    {steps.map(({ shade, path }) => (
      <path key={shade} className={`shade-${shade}`} d={path} />
    ))}
    {cells.slice(finishedRuns).map(({ column, row }) => (
      <path key={column} className="todo" d={`M${column + 0.06} ${row + 0.08}h.88v.84h-.88z`} />
    ))}
    <path className="best" d={`M${best.column} ${best.row}h1v1h-1z`} />
  </svg>
);
