import 'reflect-metadata';
import { Module, type DynamicModule } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { derivedId } from '@tapedeck/kernel';
import { asAccount, createTestApp } from '@tapedeck/platform/testing';
import { DEMO_CATALOGUE } from '@tapedeck/search-engine/engine';
import { CatalogueFeed, SEARCH_ENGINE, type SearchEngine } from '@tapedeck/search-engine/engine';
import { CatalogueChanges } from '../catalogue-changes.ts';
import { ExplorerController } from '../explorer.controller.ts';
import { CountIndicatorsHandler } from '../queries/count-indicators.ts';
import { ExploreHandler } from '../queries/explore.ts';
import { FindBrushSliceHandler } from '../queries/find-brush-slice.ts';
import { FindHistogramHandler } from '../queries/find-histogram.ts';
import { FindRangesHandler } from '../queries/find-ranges.ts';
import { FindSimilarHandler } from '../queries/find-similar.ts';
import { ListStrategiesHandler } from '../queries/list-strategies.ts';

@Module({})
class EngineAlone {
  static with(engine: SearchEngine): DynamicModule {
    return {
      module: EngineAlone,
      imports: [CqrsModule],
      controllers: [ExplorerController],
      providers: [
        { provide: SEARCH_ENGINE, useValue: engine },
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
export const startEngineOverHttp = async (engine: SearchEngine): Promise<EngineOverHttp> => {
  const app = await createTestApp({ modules: [EngineAlone.with(engine)] });
  await app.listen(0, '127.0.0.1');
  return {
    url: await app.getUrl(),
    headers: { [asAccount]: derivedId('member') },
    close: () => app.close(),
  };
};
