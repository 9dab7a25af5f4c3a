import { Controller, Get, Query, Sse, UseInterceptors, type MessageEvent } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ReadsFrom, Returns } from '@tapedeck/platform/http';
import type { Observable } from 'rxjs';
import {
  defaultScale,
  Exploration,
  HistogramAnswer,
  HistogramQuery,
  ListQuery,
  RangesAnswer,
  RangesQuery,
  StrategyList,
} from './contract.ts';
import { CatalogueChanges } from './feed/catalogue-changes.ts';
import { explorerCatalogue } from './feed/catalogue-registration.ts';
import { Explore } from './queries/explore.ts';
import { FindHistogram } from './queries/find-histogram.ts';
import { FindRanges } from './queries/find-ranges.ts';
import { ListStrategies } from './queries/list-strategies.ts';
import { WorthAnswering } from './worth-answering.ts';

@Controller('api/strategies')
@UseInterceptors(WorthAnswering)
export class ExplorerController {
  readonly #queries: QueryBus;
  readonly #changes: CatalogueChanges;

  constructor(queries: QueryBus, changes: CatalogueChanges) {
    this.#queries = queries;
    this.#changes = changes;
  }

  @Get('explore')
  @ReadsFrom(explorerCatalogue)
  @Returns(200, Exploration, { description: 'Rows, total, eight histograms and ranges of one catalogue' })
  explore(@Query({ schema: ListQuery }) parameters: ListQuery): Promise<Exploration> {
    return this.#queries.execute(new Explore(parameters));
  }

  @Get('datatable/filtered')
  @ReadsFrom(explorerCatalogue)
  @Returns(200, StrategyList)
  list(@Query({ schema: ListQuery }) parameters: ListQuery): Promise<StrategyList> {
    return this.#queries.execute(new ListStrategies(parameters));
  }

  @Get('datatable/ranges')
  @ReadsFrom(explorerCatalogue)
  @Returns(200, RangesAnswer)
  ranges(@Query({ schema: RangesQuery }) parameters: RangesQuery): Promise<RangesAnswer> {
    return this.#queries.execute(new FindRanges(parameters));
  }

  @Get('histogram')
  @ReadsFrom(explorerCatalogue)
  @Returns(200, HistogramAnswer)
  histogram(@Query({ schema: HistogramQuery }) parameters: HistogramQuery): Promise<HistogramAnswer> {
    return this.#queries.execute(
      new FindHistogram(parameters, parameters.scale ?? defaultScale[parameters.field]),
    );
  }

  @Get('quantile-histogram')
  @ReadsFrom(explorerCatalogue)
  @Returns(200, HistogramAnswer)
  quantileHistogram(@Query({ schema: HistogramQuery }) parameters: HistogramQuery): Promise<HistogramAnswer> {
    return this.#queries.execute(new FindHistogram(parameters, parameters.scale ?? 'quantile'));
  }

  @Sse('changes')
  changes(): Observable<MessageEvent> {
    return this.#changes.stream();
  }
}
