import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ChangeTopics } from '@tapedeck/platform/http';
import { CatalogueFeed } from '@tapedeck/search-engine/engine';
import { catalogueTopic } from './contract.ts';
import { ExplorerController } from './explorer.controller.ts';
import { ExportStrategiesHandler } from './export/export-strategies.ts';
import { ExportController } from './export/export.controller.ts';
import { RunningExports } from './export/running-exports.ts';
import { CompareStrategiesHandler } from './queries/compare-strategies.ts';
import { CountIndicatorsHandler } from './queries/count-indicators.ts';
import { ExploreHandler } from './queries/explore.ts';
import { FindBrushSliceHandler } from './queries/find-brush-slice.ts';
import { FindHistogramHandler } from './queries/find-histogram.ts';
import { FindPlacesHandler } from './queries/find-places.ts';
import { FindRangesHandler } from './queries/find-ranges.ts';
import { FindSimilarHandler } from './queries/find-similar.ts';
import { ListStrategiesHandler } from './queries/list-strategies.ts';
import { CurrentTeaser } from './teaser/current-teaser.ts';
import { TeaserController } from './teaser/teaser.controller.ts';

/** Needs the module of `@tapedeck/search-engine/api` beside it. */
@Module({
  imports: [CqrsModule],
  controllers: [ExplorerController, ExportController, TeaserController],
  providers: [
    ExploreHandler,
    FindHistogramHandler,
    FindRangesHandler,
    ListStrategiesHandler,
    FindBrushSliceHandler,
    CountIndicatorsHandler,
    FindSimilarHandler,
    FindPlacesHandler,
    CompareStrategiesHandler,
    RunningExports,
    ExportStrategiesHandler,
    CurrentTeaser,
  ],
})
export class ExplorerModule {
  constructor(topics: ChangeTopics, feed: CatalogueFeed) {
    feed.onChange(topics.registerShared({ name: catalogueTopic, feature: 'explorer' }));
  }
}
