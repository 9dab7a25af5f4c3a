import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DomainError } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { DATABASES } from '@tapedeck/platform/tokens';
import type { PictureFormat } from '../capturer/wire.ts';
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
  readonly #store: PictureStore;

  constructor(@Inject(DATABASES) databases: Databases, @Inject(PICTURE_STORE) store: PictureStore) {
    this.#databases = databases;
    this.#store = store;
  }

  /** A version in the address needs no look at the database; one that was replaced leads to the present one. */
  async execute({ urlId, format, version, known }: FindPicture): Promise<FoundPicture> {
    if (version !== undefined && isPictureName({ urlId, version })) {
      if (known === version) return { version, isRequested: true, bytes: undefined };
      const bytes = await this.#store.read({ urlId, version }, format);
      if (bytes) return { version, isRequested: true, bytes };
    }
    const chart = await findChart(this.#databases, urlId);
    if (!chart || chart.version === null) throw notFound();
    const present = { urlId, version: chart.version };
    if (known === present.version) return { ...present, isRequested: false, bytes: undefined };
    const bytes = await this.#store.read(present, format);
    if (!bytes) throw notFound();
    return { ...present, isRequested: false, bytes };
  }
}
