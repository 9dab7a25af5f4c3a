import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Databases } from '@tapedeck/platform/databases';
import { DATABASES } from '@tapedeck/platform/tokens';
import type { IndicatorCatalogue } from '../contract.ts';
import { indicatorCatalogue } from '../domain/indicators.ts';

export class ListIndicators extends Query<IndicatorCatalogue> {}

@QueryHandler(ListIndicators)
export class ListIndicatorsHandler implements IQueryHandler<ListIndicators> {
  readonly #databases: Databases<'catalogue'>;

  constructor(@Inject(DATABASES) databases: Databases<'catalogue'>) {
    this.#databases = databases;
  }

  async execute(): Promise<IndicatorCatalogue> {
    const { rows } = await this.#databases.catalogue.query<{ label: string }>(
      'select label from strategy_indicators order by id, label',
    );
    const catalogue = indicatorCatalogue(rows.map(({ label }) => label));
    return Object.fromEntries(
      Object.entries(catalogue).map(([category, indicators]) => [
        category,
        indicators.map(({ id, label }) => ({ id, indicator: label })),
      ]),
    );
  }
}
