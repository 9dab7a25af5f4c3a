import 'reflect-metadata';
import { Module, type DynamicModule } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { derivedId } from '@tapedeck/kernel';
import { asAccount, createTestApp } from '@tapedeck/platform/testing';
import { DEMO_CATALOGUE } from '@tapedeck/search-engine/engine';
import {
  CatalogueFeed,
  SEARCH_BACKEND,
  SEARCH_ENGINE,
  SearchAdmission,
  type ColumnarEngine,
  type SearchEngine,
} from '@tapedeck/search-engine/engine';
import { CatalogueChanges } from '../catalogue-changes.ts';
import { ExplorerController } from '../explorer.controller.ts';
import { ExportRights } from '../export/export-rights.ts';
import { ExportStrategiesHandler } from '../export/export-strategies.ts';
import { ExportController } from '../export/export.controller.ts';
import { CompareStrategiesHandler } from '../queries/compare-strategies.ts';
import { CountIndicatorsHandler } from '../queries/count-indicators.ts';
import { ExploreHandler } from '../queries/explore.ts';
import { FindBrushSliceHandler } from '../queries/find-brush-slice.ts';
import { FindHistogramHandler } from '../queries/find-histogram.ts';
import { FindRangesHandler } from '../queries/find-ranges.ts';
import { FindSimilarHandler } from '../queries/find-similar.ts';
import { ListStrategiesHandler } from '../queries/list-strategies.ts';

type TestedEngine = SearchEngine & Partial<Pick<ColumnarEngine, 'isBusy'>>;

@Module({})
class EngineAlone {
  static with(engine: TestedEngine): DynamicModule {
    return {
      module: EngineAlone,
      imports: [CqrsModule],
      controllers: [ExplorerController, ExportController],
      providers: [
        { provide: SEARCH_ENGINE, useValue: engine },
        { provide: SEARCH_BACKEND, useValue: { isBusy: engine.isBusy } },
        SearchAdmission,
        { provide: DEMO_CATALOGUE, useValue: () => false },
        { provide: CatalogueFeed, useValue: { assertReady: () => {}, onChange: () => {} } },
        CatalogueChanges,
        ExploreHandler,
        FindHistogramHandler,
        FindRangesHandler,
        ListStrategiesHandler,
        FindBrushSliceHandler,
        CountIndicatorsHandler,
        FindSimilarHandler,
        CompareStrategiesHandler,
        ExportRights,
        ExportStrategiesHandler,
      ],
    };
  }
}

export type EngineOverHttp = Readonly<{
  url: string;
  /** Of a signed-in member. */
  headers: Readonly<Record<string, string>>;
  close: () => Promise<void>;
}>;

/** The explorer's routes before any engine: no database, no tape. */
export const startEngineOverHttp = async (engine: TestedEngine): Promise<EngineOverHttp> => {
  const app = await createTestApp({ modules: [EngineAlone.with(engine)] });
  await app.listen(0, '127.0.0.1');
  return {
    url: await app.getUrl(),
    headers: { [asAccount]: derivedId('member') },
    close: () => app.close(),
  };
};
