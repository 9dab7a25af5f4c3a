import { Controller, Get, Param, Query, Sse, UseInterceptors, type MessageEvent } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ReadsFrom, RequestSignal, Returns } from '@tapedeck/platform/http';
import { defaultScale, FilterQuery } from '@tapedeck/search-engine/contract';
import { explorerCatalogue } from '@tapedeck/search-engine/engine';
import type { Observable } from 'rxjs';
import { CatalogueChanges } from './catalogue-changes.ts';
import {
  BrushSlice,
  BrushSliceQuery,
  ComparedStrategies,
  CompareQuery,
  Exploration,
  ExploreQuery,
  HistogramAnswer,
  HistogramQuery,
  IndicatorTotals,
  ListQuery,
  RangesAnswer,
  RangesQuery,
  SimilarQuery,
  SimilarStrategies,
  StrategyList,
} from './contract.ts';
import { CompareStrategies } from './queries/compare-strategies.ts';
import { CountIndicators } from './queries/count-indicators.ts';
import { Explore } from './queries/explore.ts';
import { FindBrushSlice } from './queries/find-brush-slice.ts';
import { FindHistogram } from './queries/find-histogram.ts';
import { FindRanges } from './queries/find-ranges.ts';
import { FindSimilar } from './queries/find-similar.ts';
import { ListStrategies } from './queries/list-strategies.ts';
import { SkipAbortedRequests } from './skip-aborted-requests.ts';

@Controller('api/strategies')
@UseInterceptors(SkipAbortedRequests)
export class ExplorerController {
  readonly #queries: QueryBus;
  readonly #changes: CatalogueChanges;

  constructor(queries: QueryBus, changes: CatalogueChanges) {
    this.#queries = queries;
    this.#changes = changes;
  }

  @Get('explore')
  @ReadsFrom(explorerCatalogue)
  @Returns(200, Exploration, {
    description: 'Rows, total, eight histograms and ranges of one catalogue',
    trusted: true,
  })
  explore(
    @Query({ schema: ExploreQuery }) parameters: ExploreQuery,
    @RequestSignal() signal: AbortSignal,
  ): Promise<Exploration> {
    return this.#queries.execute(new Explore(parameters, { signal }));
  }

  @Get('datatable/filtered')
  @ReadsFrom(explorerCatalogue)
  @Returns(200, StrategyList, { trusted: true })
  list(
    @Query({ schema: ListQuery }) parameters: ListQuery,
    @RequestSignal() signal: AbortSignal,
  ): Promise<StrategyList> {
    return this.#queries.execute(new ListStrategies(parameters, { signal }));
  }

  @Get('datatable/ranges')
  @ReadsFrom(explorerCatalogue)
  @Returns(200, RangesAnswer)
  ranges(
    @Query({ schema: RangesQuery }) parameters: RangesQuery,
    @RequestSignal() signal: AbortSignal,
  ): Promise<RangesAnswer> {
    return this.#queries.execute(new FindRanges(parameters, { signal }));
  }

  @Get('histogram')
  @ReadsFrom(explorerCatalogue)
  @Returns(200, HistogramAnswer)
  histogram(
    @Query({ schema: HistogramQuery }) { scale, ...parameters }: HistogramQuery,
    @RequestSignal() signal: AbortSignal,
  ): Promise<HistogramAnswer> {
    const { field } = parameters;
    return this.#queries.execute(new FindHistogram(parameters, scale ?? defaultScale[field], { signal }));
  }

  @Get('quantile-histogram')
  @ReadsFrom(explorerCatalogue)
  @Returns(200, HistogramAnswer)
  quantileHistogram(
    @Query({ schema: HistogramQuery }) parameters: HistogramQuery,
    @RequestSignal() signal: AbortSignal,
  ): Promise<HistogramAnswer> {
    const { scale = 'quantile' } = parameters;
    return this.#queries.execute(new FindHistogram(parameters, scale, { signal }));
  }

  @Get('brush')
  @ReadsFrom(explorerCatalogue)
  @Returns(200, BrushSlice, { description: 'All that a drag of one slider can need', trusted: true })
  brush(
    @Query({ schema: BrushSliceQuery }) parameters: BrushSliceQuery,
    @RequestSignal() signal: AbortSignal,
  ): Promise<BrushSlice> {
    return this.#queries.execute(new FindBrushSlice(parameters, { signal }));
  }

  @Get('indicator-totals')
  @ReadsFrom(explorerCatalogue)
  @Returns(200, IndicatorTotals, { trusted: true })
  indicatorTotals(
    @Query({ schema: FilterQuery }) parameters: FilterQuery,
    @RequestSignal() signal: AbortSignal,
  ): Promise<IndicatorTotals> {
    return this.#queries.execute(new CountIndicators(parameters, { signal }));
  }

  @Get('similar/:urlId')
  @ReadsFrom(explorerCatalogue)
  @Returns(200, SimilarStrategies)
  similar(
    @Param('urlId') urlId: string,
    @Query({ schema: SimilarQuery }) { limit }: SimilarQuery,
    @RequestSignal() signal: AbortSignal,
  ): Promise<SimilarStrategies> {
    return this.#queries.execute(new FindSimilar(urlId, limit, { signal }));
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

  @Sse('changes')
  changes(): Observable<MessageEvent> {
    return this.#changes.stream();
  }
}
