import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { handle, type EventStore, type Handle, type HandleResult, type Position } from '@tapedeck/eventing';
import { DomainError, messageOf } from '@tapedeck/kernel';
import { ReadModels, requestCommandContext } from '@tapedeck/platform/http';
import { EVENT_STORE } from '@tapedeck/platform/tokens';
import { strategyId, type StrategyId } from '@tapedeck/strategies/events';
import type { Capturer, CapturedChart, Pictures } from '../capturer/capturer.ts';
import { CAPTURER } from '../capturer/capturer-token.ts';
import { chartTexts } from '../contract.ts';
import { chartCaptureDecider, type ChartCaptureCommand } from '../domain/decide.ts';
import {
  chartCaptureEvents,
  performanceChartStream,
  type PerformanceChart,
  type Picture,
} from '../domain/performance-chart.ts';
import { PICTURE_STORE } from '../pictures/picture-store-token.ts';
import type { PictureName, PictureStore } from '../pictures/picture-store.ts';
import type { PerformanceChartRow } from '../projections/performance-charts.ts';
import { captureBusy, captureFailed, captureUnavailable } from './capture-errors.ts';

/** `position`: of the event that says so. */
export type Captured = Readonly<{ picture: Picture; position: Position }>;

/** What is known of the chart before it is captured. */
export type KnownChart = Pick<PerformanceChartRow, 'url_id' | 'figures' | 'version'>;

type Recorded = HandleResult<PerformanceChart>;

/** Differs between strategies too, so that removing a picture of one never removes that of another. */
const versionOf = (urlId: string, png: Uint8Array): string =>
  createHash('sha256').update(urlId).update(png).digest('hex').slice(0, 32);

/** Captures of charts in the name of the current request, each once for all that ask for it at the same time. */
@Injectable()
export class ChartCaptures {
  readonly #capturer: Capturer;
  readonly #pictures: PictureStore;
  readonly #readModels: ReadModels;
  readonly #handle: Handle<ChartCaptureCommand, PerformanceChart>;
  readonly #running = new Map<string, Promise<Captured>>();

  constructor(
    @Inject(CAPTURER) capturer: Capturer,
    @Inject(PICTURE_STORE) pictures: PictureStore,
    @Inject(EVENT_STORE) store: EventStore,
    readModels: ReadModels,
  ) {
    this.#capturer = capturer;
    this.#pictures = pictures;
    this.#readModels = readModels;
    this.#handle = handle(store, chartCaptureDecider, chartCaptureEvents);
  }

  /** The one that runs for a strategy. */
  running(urlId: string): Promise<Captured> | undefined {
    return this.#running.get(urlId);
  }

  /** @throws DomainError of `capture-errors.ts`, PICTURE_STORE_UNAVAILABLE */
  start(chart: KnownChart): Promise<Captured> {
    // Whether the request may send commands is said before the work.
    const { now: takenAt } = requestCommandContext();
    const positions: Position[] = [];
    const result = this.#capture(chart, takenAt, ({ position }) => positions.push(position));
    this.#running.set(chart.url_id, result);
    void result
      .catch(() => undefined)
      .then(() => this.#untilProjected(positions.at(-1)))
      .finally(() => this.#running.delete(chart.url_id));
    return result;
  }

  /** A request before that would capture the chart again. */
  async #untilProjected(position: Position | undefined): Promise<void> {
    if (position !== undefined)
      await this.#readModels.reached('performance_charts', position).catch(() => undefined);
  }

  async #capture(
    chart: KnownChart,
    takenAt: string,
    onRecorded: (recorded: Recorded) => void,
  ): Promise<Captured> {
    const urlId = strategyId(chart.url_id);
    const { figures } = chart;
    const captured = await this.#capturer.capture(urlId);
    switch (captured.outcome) {
      case 'unavailable':
        throw captureUnavailable();
      case 'busy':
        throw captureBusy(captured.retryAfterSeconds);
      case 'failed': {
        const { now } = requestCommandContext();
        const { failure } = captured;
        const recorded = await this.#record({ type: 'RecordFailure', urlId, figures, failure, now });
        onRecorded(recorded);
        throw captureFailed(failure, recorded.state.failed?.retryAt ?? now, Date.parse(now));
      }
      case 'captured': {
        const recorded = await this.#keep(urlId, figures, takenAt, captured);
        onRecorded(recorded);
        const { picture } = recorded.state;
        if (!picture) throw new Error('A chart that was captured has no picture.');
        await this.#removeReplaced(urlId, chart.version, picture);
        return { picture, position: recorded.position };
      }
    }
  }

  async #keep(
    urlId: StrategyId,
    figures: string,
    takenAt: string,
    { width, height, pictures }: CapturedChart,
  ): Promise<Recorded> {
    const { png, webp, avif } = pictures;
    const version = versionOf(urlId, png);
    await this.#save({ urlId, version }, pictures);
    const bytes = { png: png.length, webp: webp.length, avif: avif.length };
    const picture = { version, width, height, takenAt };
    return this.#record({ type: 'RecordPicture', urlId, figures, ...picture, bytes });
  }

  async #save(name: PictureName, pictures: Pictures): Promise<void> {
    try {
      await this.#pictures.save(name, pictures);
    } catch (error) {
      throw new DomainError('unavailable', 'PICTURE_STORE_UNAVAILABLE', chartTexts.unreachable, {
        cause: messageOf(error),
      });
    }
  }

  /** What could not be removed is a file too many. */
  async #removeReplaced(urlId: StrategyId, before: string | null, { version }: Picture): Promise<void> {
    if (before === null || before === version) return;
    await this.#pictures.remove({ urlId, version: before }).catch(() => undefined);
  }

  #record(command: ChartCaptureCommand): Promise<Recorded> {
    return this.#handle(performanceChartStream(command.urlId), command, requestCommandContext());
  }
}
