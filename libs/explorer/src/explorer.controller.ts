import { Controller, Get, Param, Query, UseInterceptors } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { NeedsFeature, Returns } from '@tapedeck/platform/http';
import { defaultScale, FilterQuery } from '@tapedeck/search-engine/contract';
import type { RequestOptions } from '@tapedeck/search-engine/engine';
import { AsksEngine, EngineOptions } from './asks-engine.ts';
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
  StrategyPlaces,
} from './contract.ts';
import { CompareStrategies } from './queries/compare-strategies.ts';
import { CountIndicators } from './queries/count-indicators.ts';
import { Explore } from './queries/explore.ts';
import { FindBrushSlice } from './queries/find-brush-slice.ts';
import { FindHistogram } from './queries/find-histogram.ts';
import { FindPlaces } from './queries/find-places.ts';
import { FindRanges } from './queries/find-ranges.ts';
import { FindSimilar } from './queries/find-similar.ts';
import { ListStrategies } from './queries/list-strategies.ts';
import { SkipAbortedRequests } from './skip-aborted-requests.ts';

@Controller('api/strategies')
@NeedsFeature('explorer')
@UseInterceptors(SkipAbortedRequests)
export class ExplorerController {
  readonly #queries: QueryBus;

  constructor(queries: QueryBus) {
    this.#queries = queries;
  }

  @Get('explore')
  @AsksEngine()
  @Returns(200, Exploration, {
    description: 'Rows, total, all histograms and ranges of one catalogue',
    trusted: true,
  })
  explore(
    @Query({ schema: ExploreQuery }) parameters: ExploreQuery,
    @EngineOptions() options: RequestOptions,
  ): Promise<Exploration> {
    return this.#queries.execute(new Explore(parameters, options));
  }

  @Get('datatable/filtered')
  @AsksEngine()
  @Returns(200, StrategyList, { trusted: true })
  list(
    @Query({ schema: ListQuery }) parameters: ListQuery,
    @EngineOptions() options: RequestOptions,
  ): Promise<StrategyList> {
    return this.#queries.execute(new ListStrategies(parameters, options));
  }

  @Get('datatable/ranges')
  @AsksEngine()
  @Returns(200, RangesAnswer)
  ranges(
    @Query({ schema: RangesQuery }) parameters: RangesQuery,
    @EngineOptions() options: RequestOptions,
  ): Promise<RangesAnswer> {
    return this.#queries.execute(new FindRanges(parameters, options));
  }

  @Get('histogram')
  @AsksEngine()
  @Returns(200, HistogramAnswer)
  histogram(
    @Query({ schema: HistogramQuery }) { scale, ...parameters }: HistogramQuery,
    @EngineOptions() options: RequestOptions,
  ): Promise<HistogramAnswer> {
    const { field } = parameters;
    return this.#queries.execute(new FindHistogram(parameters, scale ?? defaultScale[field], options));
  }

  @Get('quantile-histogram')
  @AsksEngine()
  @Returns(200, HistogramAnswer)
  quantileHistogram(
    @Query({ schema: HistogramQuery }) parameters: HistogramQuery,
    @EngineOptions() options: RequestOptions,
  ): Promise<HistogramAnswer> {
    const { scale = 'quantile' } = parameters;
    return this.#queries.execute(new FindHistogram(parameters, scale, options));
  }

  @Get('brush')
  @AsksEngine('brush')
  @Returns(200, BrushSlice, { description: 'All that a drag of one slider can need', trusted: true })
  brush(
    @Query({ schema: BrushSliceQuery }) parameters: BrushSliceQuery,
    @EngineOptions() options: RequestOptions,
  ): Promise<BrushSlice> {
    return this.#queries.execute(new FindBrushSlice(parameters, options));
  }

  @Get('indicator-totals')
  @AsksEngine()
  @Returns(200, IndicatorTotals, { trusted: true })
  indicatorTotals(
    @Query({ schema: FilterQuery }) parameters: FilterQuery,
    @EngineOptions() options: RequestOptions,
  ): Promise<IndicatorTotals> {
    return this.#queries.execute(new CountIndicators(parameters, options));
  }

  @Get('similar/:urlId')
  @AsksEngine()
  @Returns(200, SimilarStrategies)
  similar(
    @Param('urlId') urlId: string,
    @Query({ schema: SimilarQuery }) { limit }: SimilarQuery,
    @EngineOptions() options: RequestOptions,
  ): Promise<SimilarStrategies> {
    return this.#queries.execute(new FindSimilar(urlId, limit, options));
  }

  @Get('places/:urlId')
  @AsksEngine()
  @Returns(200, StrategyPlaces, { description: 'Where its figures are in the histograms of the catalogue' })
  places(@Param('urlId') urlId: string, @EngineOptions() options: RequestOptions): Promise<StrategyPlaces> {
    return this.#queries.execute(new FindPlaces(urlId, options));
  }

  @Get('compare')
  @AsksEngine()
  @Returns(200, ComparedStrategies)
  compare(
    @Query({ schema: CompareQuery }) parameters: CompareQuery,
    @EngineOptions() options: RequestOptions,
  ): Promise<ComparedStrategies> {
    return this.#queries.execute(new CompareStrategies(parameters, options));
  }
}
