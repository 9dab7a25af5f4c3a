import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DomainError } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { DATABASES } from '@tapedeck/platform/tokens';
import type { SampleStrategy } from '../contract.ts';
import { findFirstId } from './find-chart.ts';

export class FindSample extends Query<SampleStrategy> {}

@QueryHandler(FindSample)
export class FindSampleHandler implements IQueryHandler<FindSample> {
  readonly #databases: Databases;

  constructor(@Inject(DATABASES) databases: Databases) {
    this.#databases = databases;
  }

  async execute(): Promise<SampleStrategy> {
    const urlId = await findFirstId(this.#databases);
    if (urlId !== undefined) return { urlId };
    throw new DomainError(
      'not-found',
      'CATALOGUE_EMPTY',
      'There is no strategy in the catalogue: import some first.',
    );
  }
}
