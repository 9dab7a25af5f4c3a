import { Controller, Get, Query, UseInterceptors } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ReadsFrom, Returns, RequestSignal } from '@tapedeck/platform/http';
import { ComparedStrategies, CompareQuery } from './contract.ts';
import { explorerCatalogue } from '@tapedeck/search-engine/engine';
import { CompareStrategies } from './queries/compare-strategies.ts';
import { SkipAbortedRequests } from './skip-aborted-requests.ts';

@Controller('api/strategies')
@UseInterceptors(SkipAbortedRequests)
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
    @RequestSignal() signal: AbortSignal,
  ): Promise<ComparedStrategies> {
    return this.#queries.execute(new CompareStrategies(parameters, { signal }));
  }
}
