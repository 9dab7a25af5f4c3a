import { Inject, Injectable } from '@nestjs/common';
import type { Databases } from '@tapedeck/platform/databases';
import { DATABASES } from '@tapedeck/platform/tokens';
import type { ChartState } from '../domain/next-step.ts';
import { PICTURE_STORE } from '../pictures/picture-store-token.ts';
import type { PictureStore } from '../pictures/picture-store.ts';
import type { PerformanceChartRow } from '../projections/performance-charts.ts';
import { findChart } from './find-chart.ts';

export type KnownRow = Readonly<{ row: PerformanceChartRow; state: ChartState }>;

const failedOf = (row: PerformanceChartRow): ChartState['failed'] => {
  const { failure, retry_at: retryAt, figures_of_failure: figures } = row;
  if (failure === null || retryAt === null || figures === null) return null;
  return { failure, retryAt: retryAt.toISOString(), figures };
};

/** What is known of the charts of strategies, and whether their pictures are there. */
@Injectable()
export class KnownCharts {
  readonly #databases: Databases;
  readonly #pictures: PictureStore;

  constructor(@Inject(DATABASES) databases: Databases, @Inject(PICTURE_STORE) pictures: PictureStore) {
    this.#databases = databases;
    this.#pictures = pictures;
  }

  /** Undefined for a strategy that is not in the catalogue. */
  async find(urlId: string): Promise<KnownRow | undefined> {
    const row = await findChart(this.#databases, urlId);
    if (!row) return undefined;
    const picture = await this.#pictureOf(row);
    return { row, state: { figures: row.figures, picture, failed: failedOf(row) } };
  }

  async #pictureOf(row: PerformanceChartRow): Promise<ChartState['picture']> {
    const { url_id: urlId, version, width, height, taken_at: takenAt, figures_of_picture: figures } = row;
    if (version === null || width === null || height === null || takenAt === null || figures === null)
      return null;
    const isThere = await this.#pictures.has({ urlId, version });
    return { version, width, height, takenAt: takenAt.toISOString(), figures, isThere };
  }
}
