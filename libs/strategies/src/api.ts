import { Inject, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ClientConfigParts } from '@tapedeck/platform/http';
import { CONFIG } from '@tapedeck/platform/tokens';
import type { StrategiesClientConfig } from './contract.ts';
import { UploadStrategiesHandler } from './commands/upload-strategies.ts';
import { ImportsController } from './imports.controller.ts';
import { FindStrategyDetailsHandler } from './queries/find-strategy-details.ts';
import { ListIndicatorsHandler } from './queries/list-indicators.ts';
import { ListImportsHandler } from './queries/list-imports.ts';
import { ShowImportHandler } from './queries/show-import.ts';
import { StrategiesController } from './strategies.controller.ts';
import type { StrategiesConfig } from './settings.ts';

@Module({
  imports: [CqrsModule],
  controllers: [StrategiesController, ImportsController],
  providers: [
    FindStrategyDetailsHandler,
    ListIndicatorsHandler,
    UploadStrategiesHandler,
    ShowImportHandler,
    ListImportsHandler,
  ],
})
export class StrategiesModule {
  constructor(clientConfig: ClientConfigParts, @Inject(CONFIG) config: StrategiesConfig) {
    clientConfig.register((): StrategiesClientConfig => ({ chartImageOrigin: config.CHART_IMAGE_ORIGIN }));
  }
}
