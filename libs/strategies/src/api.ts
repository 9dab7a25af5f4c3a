import { Inject, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { ApiConfig } from '@tapedeck/platform/config';
import { ClientConfigParts } from '@tapedeck/platform/http';
import { CONFIG } from '@tapedeck/platform/tokens';
import type { StrategiesClientConfig } from './contract.ts';
import { FindStrategyDetailsHandler } from './queries/find-strategy-details.ts';
import { ListIndicatorsHandler } from './queries/list-indicators.ts';
import { StrategiesController } from './strategies.controller.ts';

@Module({
  imports: [CqrsModule],
  controllers: [StrategiesController],
  providers: [FindStrategyDetailsHandler, ListIndicatorsHandler],
})
export class StrategiesModule {
  constructor(clientConfig: ClientConfigParts, @Inject(CONFIG) config: ApiConfig) {
    clientConfig.register((): StrategiesClientConfig => ({ chartImageOrigin: config.CHART_IMAGE_ORIGIN }));
  }
}
