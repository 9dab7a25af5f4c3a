import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DomainError, type Clock } from '@tapedeck/kernel';
import { countByKey, currentRequest, leaveDatabaseShare } from '@tapedeck/platform/http';
import { CLOCK, CONFIG } from '@tapedeck/platform/tokens';
import { chartCaptureRoutes, type ChartPicture } from '../contract.ts';
import { nextStep } from '../domain/next-step.ts';
import type { Picture } from '../domain/performance-chart.ts';
import { KnownCharts } from '../queries/known-charts.ts';
import type { ChartCaptureConfig } from '../settings.ts';
import { captureFailed } from './capture-errors.ts';
import { ChartCaptures, type KnownChart } from './chart-captures.ts';

/** Answers with the picture of a strategy's chart, which is captured if there is none. */
export class CaptureChart extends Command<ChartPicture> {
  constructor(
    readonly urlId: string,
    /** Whose captures are counted together; null where the request was counted already. */
    readonly client: string | null,
  ) {
    super();
  }
}

const dayMs = 86_400_000;

const notFound = (urlId: string): DomainError =>
  new DomainError(
    'not-found',
    'STRATEGY_NOT_FOUND',
    `There is no strategy "${urlId.slice(0, 40)}" in the catalogue: check the address, including upper and lower case.`,
  );

const answerOf = (urlId: string, { version, width, height, takenAt }: Picture): ChartPicture => ({
  imagePath: `${chartCaptureRoutes.picture(urlId)}?v=${version}`,
  width,
  height,
  takenAt,
});

@CommandHandler(CaptureChart)
export class CaptureChartHandler implements ICommandHandler<CaptureChart> {
  readonly #charts: KnownCharts;
  readonly #captures: ChartCaptures;
  readonly #clock: Clock;
  readonly #maxAgeMs: number;

  constructor(
    charts: KnownCharts,
    captures: ChartCaptures,
    @Inject(CLOCK) clock: Clock,
    @Inject(CONFIG) config: ChartCaptureConfig,
  ) {
    this.#charts = charts;
    this.#captures = captures;
    this.#clock = clock;
    this.#maxAgeMs = config.CHART_MAX_AGE_DAYS * dayMs;
  }

  async execute({ urlId, client }: CaptureChart): Promise<ChartPicture> {
    const chart = await this.#charts.find(urlId);
    if (!chart) throw notFound(urlId);
    const now = this.#clock.now();
    const next = nextStep(chart.state, now, this.#maxAgeMs);
    switch (next.step) {
      case 'refuse':
        throw captureFailed(next.failure, next.retryAt, now);
      case 'capture':
        return answerOf(urlId, await this.#capture(chart.row, client));
      case 'show-and-renew':
        // What becomes of it is an event.
        this.#capture(chart.row, client).catch(() => undefined);
        return answerOf(urlId, next.picture);
      case 'show':
        return answerOf(urlId, next.picture);
      default:
        return next satisfies never;
    }
  }

  /** Joins the capture that runs, or starts one, which counts. */
  async #capture(chart: KnownChart, client: string | null): Promise<Picture> {
    const current = currentRequest();
    if (current && client !== null && !this.#captures.running(chart.url_id))
      await countByKey(current.request, 'capture', client);
    if (current) leaveDatabaseShare(current.request);
    const { picture, position } = await (this.#captures.running(chart.url_id) ?? this.#captures.start(chart));
    if (current && position > current.written) current.written = position;
    return picture;
  }
}
