import { Controller, Get, Query, UseInterceptors } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ReadsFrom, Returns } from '@tapedeck/platform/http';
import { ComparedStrategies, CompareQuery } from './contract.ts';
import { explorerCatalogue } from './feed/catalogue-registration.ts';
import { GivenUp } from './given-up.ts';
import { CompareStrategies } from './queries/compare-strategies.ts';
import { WorthAnswering } from './worth-answering.ts';

@Controller('api/strategies')
@UseInterceptors(WorthAnswering)
export class ComparisonController {
  readonly #queries: QueryBus;

  constructor(queries: QueryBus) {
    this.#queries = queries;
  }

  @Get('compare')
  @ReadsFrom(explorerCatalogue)
  @Returns(200, ComparedStrategies)
  compare(
    @Query({ schema: CompareQuery }) parameters: CompareQuery,
    @GivenUp() signal: AbortSignal,
  ): Promise<ComparedStrategies> {
    return this.#queries.execute(new CompareStrategies(parameters, { signal }));
  }
}
