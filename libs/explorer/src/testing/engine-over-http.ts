import 'reflect-metadata';
import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import type { ColumnarEngine } from '@tapedeck/columnar/engine';
import { derivedId } from '@tapedeck/kernel';
import { asAccount, createTestApp } from '@tapedeck/platform/testing';
import {
  CatalogueFeed,
  DEMO_CATALOGUE,
  SEARCH_BACKEND,
  SEARCH_ENGINE,
  SearchAdmission,
  type SearchEngine,
} from '@tapedeck/search-engine/engine';
import { ExplorerModule } from '../api.ts';

type TestedEngine = SearchEngine & Partial<Pick<ColumnarEngine, 'isBusy'>>;

@Module({})
class EngineAlone {
  static with(engine: TestedEngine): DynamicModule {
    const provided: Provider[] = [
      { provide: SEARCH_ENGINE, useValue: engine },
      { provide: SEARCH_BACKEND, useValue: { isBusy: engine.isBusy } },
      { provide: DEMO_CATALOGUE, useValue: () => false },
      { provide: CatalogueFeed, useValue: { assertReady: () => {}, onChange: () => {} } },
    ];
    return {
      module: EngineAlone,
      global: true,
      providers: [...provided, SearchAdmission],
      exports: provided,
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
  const app = await createTestApp({ modules: [EngineAlone.with(engine), ExplorerModule] });
  await app.listen(0, '127.0.0.1');
  return {
    url: await app.getUrl(),
    headers: { [asAccount]: derivedId('member') },
    close: () => app.close(),
  };
};
