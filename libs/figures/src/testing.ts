/** For tests of the whole product: the read model, and what is counted from its rows. */
export { figures } from './projections/figures.ts';
export { dailyFigures, type DailyFigures } from './domain/daily-figures.ts';
export { daysUntil } from './domain/days.ts';
export { factsOf, type FigureRows } from './queries/figure-rows.ts';
