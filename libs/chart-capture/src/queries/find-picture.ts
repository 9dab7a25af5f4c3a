import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { readEvents, stateAfter, type EventStore } from '@tapedeck/eventing';
import { DomainError } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { DATABASES, EVENT_STORE } from '@tapedeck/platform/tokens';
import { strategyId, type StrategyId } from '@tapedeck/strategies/events';
import type { PictureFormat } from '../capturer/wire.ts';
import { chartCaptureDecider } from '../domain/decide.ts';
import { chartCaptureEvents, performanceChartStream } from '../domain/performance-chart.ts';
import { PICTURE_STORE } from '../pictures/picture-store-token.ts';
import { isPictureName, type PictureStore } from '../pictures/picture-store.ts';
import { findChart } from './find-chart.ts';

export type FoundPicture = Readonly<{
  version: string;
  /** Whether it is the version that was asked for, which never changes. */
  isRequested: boolean;
  /** Undefined when the client has it already. */
  bytes: Buffer | undefined;
}>;

export class FindPicture extends Query<FoundPicture> {
  constructor(
    readonly urlId: string,
    readonly format: PictureFormat,
    /** The version that was asked for, if any. */
    readonly version: string | undefined,
    /** The version that the client has, in this format. */
    readonly known: string | undefined,
  ) {
    super();
  }
}

const notFound = (): DomainError =>
  new DomainError(
    'not-found',
    'PICTURE_NOT_FOUND',
    'There is no picture of this chart: POST /api/chart-screenshot captures it.',
  );

@QueryHandler(FindPicture)
export class FindPictureHandler implements IQueryHandler<FindPicture> {
  readonly #databases: Databases;
  readonly #pictures: PictureStore;
  readonly #store: EventStore;

  constructor(
    @Inject(DATABASES) databases: Databases,
    @Inject(PICTURE_STORE) pictures: PictureStore,
    @Inject(EVENT_STORE) store: EventStore,
  ) {
    this.#databases = databases;
    this.#pictures = pictures;
    this.#store = store;
  }

  /** A version in the address needs no look at the database; one that was replaced leads to the present one. */
  async execute({ urlId, format, version, known }: FindPicture): Promise<FoundPicture> {
    if (version !== undefined && isPictureName({ urlId, version })) {
      if (known === version) return { version, isRequested: true, bytes: undefined };
      const bytes = await this.#pictures.read({ urlId, version }, format);
      if (bytes) return { version, isRequested: true, bytes };
    }
    const chart = await findChart(this.#databases, urlId);
    if (!chart) throw notFound();
    const found =
      (await this.#read(urlId, chart.version, format, known)) ??
      (await this.#read(urlId, await this.#newestVersion(strategyId(urlId)), format, known));
    if (!found) throw notFound();
    return found;
  }

  async #read(
    urlId: string,
    version: string | null,
    format: PictureFormat,
    known: string | undefined,
  ): Promise<FoundPicture | undefined> {
    if (version === null) return undefined;
    if (known === version) return { version, isRequested: false, bytes: undefined };
    const bytes = await this.#pictures.read({ urlId, version }, format);
    return bytes && { version, isRequested: false, bytes };
  }

  /** The read model may be behind an answer that has just named the picture: before a refusal the stream is read. */
  async #newestVersion(urlId: StrategyId): Promise<string | null> {
    const events = await readEvents(this.#store, performanceChartStream(urlId), chartCaptureEvents);
    return stateAfter(chartCaptureDecider, events).picture?.version ?? null;
  }
}
