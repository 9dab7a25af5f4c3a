import * as z from 'zod';

export { isStrategyId, strategyId, type StrategyId } from './domain/ids.ts';

export const StrategyDetails = z
  .object({
    title: z.string(),
    author: z.string().nullable(),
    publicationDate: z.string().nullable(),
    urlId: z.string(),
    likes: z.number().nullable(),
    views: z.number().nullable(),
    commentsCount: z.number().nullable(),
    codeLines: z.number().nullable(),
    totalTrades: z.string().nullable(),
    profitFactor: z.string().nullable(),
    /** Of the long and of the short trades alone. */
    profitFactorLong: z.string().nullable(),
    profitFactorShort: z.string().nullable(),
    sharpeRatioAll: z.string().nullable(),
    sortinoRatioAll: z.string().nullable(),
    /** An amount with the per cent in parentheses, as the source has it. */
    totalPandl: z.string().nullable(),
    maxEquityDrawdown: z.string().nullable(),
    profitableTrades: z.string().nullable(),
    fullDescription: z.string().nullable(),
    howItWorks: z.string().nullable(),
    backtestingRangeStart: z.string().nullable(),
    backtestingRangeEnd: z.string().nullable(),
    categories: z.array(z.string()),
    timeframes: z.array(z.string()),
    initialCapital: z.string().nullable(),
    commission: z.string().nullable(),
    slippage: z.number().nullable(),
    pyramiding: z.number().nullable(),
    pineVersion: z.number().nullable(),
    /** Null without a code, and for members whose plan does not include the code. */
    pineScript: z.string().nullable(),
    /** Whether the member's plan includes the code. */
    sourceCodeIncluded: z.boolean(),
    /** The script at its source, otherwise its page on the charting site. */
    sourceUrl: z.string().nullable(),
    /** Whether `sourceUrl` is a page of the charting site. */
    isOnChartingSite: z.boolean(),
    symbol: z.string().nullable(),
    /** Of the backtest; `timeframes` are those that the strategy is made for. */
    timeframe: z.string().nullable(),
    currency: z.string().nullable(),
  })
  .meta({ id: 'StrategyDetails' });
export type StrategyDetails = z.infer<typeof StrategyDetails>;

export const IndicatorEntry = z.object({ id: z.string(), indicator: z.string() });
/** Category to its indicators (docs/product-decisions.md#indicator-categories). */
export const IndicatorCatalogue = z
  .record(z.string(), z.array(IndicatorEntry))
  .meta({ id: 'IndicatorCatalogue' });
export type IndicatorCatalogue = z.infer<typeof IndicatorCatalogue>;

/** Of an upload: the file in bytes, and how often the screen asks how far it is. */
export const uploadLimits = { maxBytes: 20 * 1024 * 1024, pollIntervalMs: 500 } as const;
export const maxShownImportErrors = 10;
export const maxShownDuplicates = 10;

export const UploadAccepted = z.object({ jobId: z.string() }).meta({ id: 'UploadAccepted' });
export type UploadAccepted = z.infer<typeof UploadAccepted>;

const ImportCounts = z.object({
  added: z.number(),
  revised: z.number(),
  unchanged: z.number(),
  rejected: z.number(),
});

export const ImportStatus = z
  .object({
    phase: z.enum(['extracting', 'processing', 'complete', 'error']),
    message: z.string(),
    /** Never goes down. */
    processed: z.number(),
    total: z.number(),
    currentStrategy: z.string().nullable(),
    /** The last ten, newest first; `errorCount` counts all. */
    errors: z.array(z.object({ strategy: z.string(), error: z.string() })),
    errorCount: z.number(),
    /** Null until the import has ended. */
    imported: ImportCounts.nullable(),
    /** Those that occur more than once: which entry was imported, and which were not. `duplicateCount` counts all. */
    duplicates: z.array(z.object({ urlId: z.string(), kept: z.string(), dropped: z.array(z.string()) })),
    duplicateCount: z.number(),
    /** The file and its bytes; null until the import has ended, and for one without a file. */
    file: z.object({ name: z.string(), size: z.number() }).nullable(),
  })
  .meta({ id: 'ImportStatus' });
export type ImportStatus = z.infer<typeof ImportStatus>;

export const LastImport = ImportCounts.extend({
  jobId: z.string(),
  name: z.string(),
  /** An e-mail address, or the name of a program. */
  requestedBy: z.string(),
  requestedAt: z.string(),
  status: z.enum(['running', 'completed', 'failed']),
  endedAt: z.string().nullable(),
  /** Why it has failed. */
  reason: z.string().nullable(),
});
export type LastImport = z.infer<typeof LastImport>;
export const LastImports = z.object({ imports: z.array(LastImport) }).meta({ id: 'LastImports' });
export type LastImports = z.infer<typeof LastImports>;

/** This module's part of the configuration that the browser reads at its start. */
export const StrategiesClientConfig = z.object({
  /** Where thumbnails are: `{chartImageOrigin}/{urlId}.svg`; empty when there are none. */
  chartImageOrigin: z.string(),
});
export type StrategiesClientConfig = z.infer<typeof StrategiesClientConfig>;

export const strategyRoutes = {
  details: (urlId: string) => `/api/strategies/details/${urlId}`,
  indicators: '/api/indicators',
  upload: '/api/admin/process-strategies-polling',
  importStatus: (jobId: string) => `/api/admin/process-status/${jobId}`,
  imports: '/api/admin/strategy-imports',
} as const;

/** The addresses of its screens. */
export const strategyScreens = ['/strategy/:urlId', '/admin/upload'] as const;
