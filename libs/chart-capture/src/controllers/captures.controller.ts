import { Body, Controller, Get, Inject, Post, Req } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Databases } from '@tapedeck/platform/databases';
import {
  countByKey,
  Public,
  ReadsFrom,
  RequestClient,
  Returns,
  SendsCommands,
  signedOut,
} from '@tapedeck/platform/http';
import { DATABASES } from '@tapedeck/platform/tokens';
import type { FastifyRequest } from 'fastify';
import { CaptureChart } from '../commands/capture-chart.ts';
import { CaptureChartBody, ChartPicture, SampleStrategy } from '../contract.ts';
import { findFirstId } from '../queries/find-chart.ts';
import { FindSample } from '../queries/find-sample.ts';

@Controller('api/chart-screenshot')
export class CapturesController {
  readonly #commands: CommandBus;
  readonly #queries: QueryBus;
  readonly #databases: Databases;

  constructor(commands: CommandBus, queries: QueryBus, @Inject(DATABASES) databases: Databases) {
    this.#commands = commands;
    this.#queries = queries;
    this.#databases = databases;
  }

  /** Without a session only of the sample, and counted by address (docs/product-decisions.md#capture-without-a-session). */
  @Public()
  @Post()
  @ReadsFrom('performance_charts')
  @SendsCommands()
  @Returns(200, ChartPicture, { description: 'The picture, which is taken if there is none' })
  async capture(
    @Body({ schema: CaptureChartBody }) { urlId }: CaptureChartBody,
    @RequestClient() client: string,
    @Req() request: FastifyRequest,
  ): Promise<ChartPicture> {
    const isVisitor = !request.account;
    if (isVisitor) {
      if (urlId !== (await findFirstId(this.#databases))) throw signedOut();
      await countByKey(request, 'capture', client);
    }
    return this.#commands.execute(new CaptureChart(urlId, isVisitor ? null : client));
  }

  @Public()
  @Get('sample')
  @Returns(200, SampleStrategy, { description: 'The strategy whose chart visitors may capture' })
  sample(): Promise<SampleStrategy> {
    return this.#queries.execute(new FindSample());
  }
}
