import type { TestAppOptions } from '@tapedeck/platform/testing';
import { startTestSearchApp, type TestSearchApp } from '@tapedeck/columnar/testing';
import type { TestCatalogue } from '@tapedeck/search-engine/testing';
import { ExplorerModule } from '../api.ts';

export type TestExplorer = TestSearchApp;

/** The module in an HTTP server as `apps/api` makes it, listening. */
export const startTestExplorer = (
  catalogue: TestCatalogue,
  options: Pick<TestAppOptions, 'config' | 'features'> = {},
): Promise<TestExplorer> => startTestSearchApp(catalogue, { modules: [ExplorerModule], ...options });
