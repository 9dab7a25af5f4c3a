import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { FindStrategyDetailsHandler } from './queries/find-strategy-details.ts';
import { ListIndicatorsHandler } from './queries/list-indicators.ts';
import { StrategiesController } from './strategies.controller.ts';

@Module({
  imports: [CqrsModule],
  controllers: [StrategiesController],
  providers: [FindStrategyDetailsHandler, ListIndicatorsHandler],
})
export class StrategiesModule {}
