import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { ApiConfig } from '@tapedeck/platform/settings';
import { CONFIG } from '@tapedeck/platform/tokens';
import { maxWindow } from '@tapedeck/search-engine/contract';
import {
  SEARCH_ENGINE,
  toSearchFilter,
  type RequestOptions,
  type SearchEngine,
  type SearchHit,
} from '@tapedeck/search-engine/engine';
import { type ExportQuery } from '../contract.ts';
import { strategiesCsv } from './strategies-csv.ts';

/** The text of a CSV file in pieces, each made when the reader asks for it. */
export class ExportStrategies extends Query<AsyncIterable<string>> {
  constructor(
    readonly parameters: ExportQuery,
    readonly options: RequestOptions,
  ) {
    super();
  }
}

async function* startingWith<T>(first: IteratorResult<T>, rest: AsyncIterator<T>): AsyncGenerator<T, void> {
  try {
    for (let next = first; !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

@QueryHandler(ExportStrategies)
export class ExportStrategiesHandler implements IQueryHandler<ExportStrategies> {
  readonly #engine: SearchEngine;
  readonly #origin: string;

  constructor(@Inject(SEARCH_ENGINE) engine: SearchEngine, @Inject(CONFIG) { publicOrigin }: ApiConfig) {
    this.#engine = engine;
    this.#origin = publicOrigin;
  }

  /** Fails before the first byte when the engine has no answer. */
  async execute({ parameters, options }: ExportStrategies): Promise<AsyncIterable<string>> {
    const order = { sort: parameters.sort_by, order: parameters.sort_order };
    const patient = { ...options, isPatient: true };
    const listed = this.#engine.list(toSearchFilter(parameters), order, maxWindow, patient);
    const pieces = listed[Symbol.asyncIterator]();
    const first: IteratorResult<readonly SearchHit[]> = await pieces.next();
    return strategiesCsv(startingWith(first, pieces), this.#origin);
  }
}
