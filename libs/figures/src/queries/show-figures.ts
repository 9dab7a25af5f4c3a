import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Figures } from '../contract.ts';
import type { RecentFigures } from './recent-figures.ts';

export const RECENT_FIGURES = Symbol('RECENT_FIGURES');

export class ShowFigures extends Query<Figures> {}

@QueryHandler(ShowFigures)
export class ShowFiguresHandler implements IQueryHandler<ShowFigures> {
  readonly #figures: RecentFigures;

  constructor(@Inject(RECENT_FIGURES) figures: RecentFigures) {
    this.#figures = figures;
  }

  execute(): Promise<Figures> {
    return this.#figures.read();
  }
}
