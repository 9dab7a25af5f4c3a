import { Readable } from 'node:stream';
import { Controller, Get, Inject, Query, Res, UseInterceptors } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { isoNow, type Clock } from '@tapedeck/kernel';
import {
  CurrentAccount,
  NeedsFeature,
  Returns,
  type MemberFeatures,
  type RequestAccount,
} from '@tapedeck/platform/http';
import { CLOCK, MEMBER_FEATURES } from '@tapedeck/platform/tokens';
import { maxWindow } from '@tapedeck/search-engine/contract';
import type { RequestOptions } from '@tapedeck/search-engine/engine';
import type { FastifyReply } from 'fastify';
import { ExportQuery, ExportRight } from '../contract.ts';
import { AsksEngineForFile, EngineOptions } from '../asks-engine.ts';
import { SkipAbortedRequests } from '../skip-aborted-requests.ts';
import { ExportStrategies } from './export-strategies.ts';
import { RunningExports } from './running-exports.ts';

@Controller('api/strategies')
export class ExportController {
  readonly #queries: QueryBus;
  readonly #features: MemberFeatures;
  readonly #running: RunningExports;
  readonly #clock: Clock;

  constructor(
    queries: QueryBus,
    @Inject(MEMBER_FEATURES) features: MemberFeatures,
    running: RunningExports,
    @Inject(CLOCK) clock: Clock,
  ) {
    this.#running = running;
    this.#queries = queries;
    this.#features = features;
    this.#clock = clock;
  }

  @Get('export-right')
  @Returns(200, ExportRight)
  async right(@CurrentAccount() account: RequestAccount): Promise<ExportRight> {
    return { allowed: await this.#features.has(account, 'csvExport'), limit: maxWindow };
  }

  @Get('export.csv')
  @NeedsFeature('csvExport')
  @UseInterceptors(SkipAbortedRequests)
  @AsksEngineForFile()
  @Returns(200, undefined, { description: 'text/csv; at most 10,000 strategies' })
  async export(
    @CurrentAccount() account: RequestAccount,
    @Query({ schema: ExportQuery }) parameters: ExportQuery,
    @EngineOptions() options: RequestOptions,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.#running.begin(account.id, reply);
    const text = await this.#queries.execute(new ExportStrategies(parameters, options));
    const day = isoNow(this.#clock).slice(0, 10);
    void reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="tapedeck-strategies-${day}.csv"`)
      .send(Readable.from(text, { objectMode: false }));
  }
}
