import { Controller, Get, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { CurrentAccount, ReadsFrom, Returns, type RequestAccount } from '@tapedeck/platform/http';
import { IndicatorCatalogue, StrategyDetails } from './contract.ts';
import { FindStrategyDetails } from './queries/find-strategy-details.ts';
import { ListIndicators } from './queries/list-indicators.ts';

@Controller('api')
export class StrategiesController {
  readonly #queries: QueryBus;

  constructor(queries: QueryBus) {
    this.#queries = queries;
  }

  @Get('strategies/details/:urlId')
  @ReadsFrom('strategies')
  @Returns(200, StrategyDetails)
  details(
    @CurrentAccount() account: RequestAccount,
    @Param('urlId') urlId: string,
  ): Promise<StrategyDetails> {
    return this.#queries.execute(new FindStrategyDetails(urlId, account));
  }

  @Get('indicators')
  @ReadsFrom('strategies')
  @Returns(200, IndicatorCatalogue, { description: 'Category to its indicators' })
  indicators(): Promise<IndicatorCatalogue> {
    return this.#queries.execute(new ListIndicators());
  }
}
