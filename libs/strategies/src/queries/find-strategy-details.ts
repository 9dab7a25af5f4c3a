import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DomainError } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import type { MemberFeatures, RequestAccount } from '@tapedeck/platform/http';
import { CONFIG, DATABASES, MEMBER_FEATURES } from '@tapedeck/platform/tokens';
import { isStrategyId } from '../domain/ids.ts';
import type { StrategyDetails } from '../contract.ts';
import { indicatorLabels } from '../domain/indicators.ts';
import type { StrategiesConfig } from '../settings.ts';
import { sourceOf } from './source-of.ts';

export class FindStrategyDetails extends Query<StrategyDetails> {
  constructor(
    readonly urlId: string,
    readonly account: RequestAccount,
  ) {
    super();
  }
}

// Without the casts the driver returns bigint as text and dates as local time.
const byId = `
  select title, author, publication_date::text as "publicationDate", url_id as "urlId",
         likes::float8, views::float8, comments_count::float8 as "commentsCount", code_lines::float8 as "codeLines",
         total_trades as "totalTrades", profit_factor as "profitFactor",
         profit_factor_long as "profitFactorLong", profit_factor_short as "profitFactorShort",
         sharpe_ratio_all as "sharpeRatioAll", sortino_ratio_all as "sortinoRatioAll",
         total_pandl as "totalPandl", max_equity_drawdown as "maxEquityDrawdown",
         profitable_trades as "profitableTrades", full_description as "fullDescription",
         how_it_works as "howItWorks",
         backtesting_range_start::text as "backtestingRangeStart",
         backtesting_range_end::text as "backtestingRangeEnd", categories, timeframes,
         initial_capital as "initialCapital", commission, slippage::float8, pyramiding::float8,
         pine_version::float8 as "pineVersion", pine_script as "pineScript", source_url as "sourceUrl",
         symbol, timeframe, currency
    from strategies
   where url_id = $1`;

type StoredDetails = Omit<StrategyDetails, 'sourceCodeIncluded' | 'isOnChartingSite'>;

const notFound = (urlId: string): DomainError =>
  new DomainError(
    'not-found',
    'STRATEGY_NOT_FOUND',
    `There is no strategy "${urlId.slice(0, 40)}" in the catalogue: check the address, including upper and lower case.`,
  );

@QueryHandler(FindStrategyDetails)
export class FindStrategyDetailsHandler implements IQueryHandler<FindStrategyDetails> {
  readonly #databases: Databases<'catalogue'>;
  readonly #features: MemberFeatures;
  readonly #config: StrategiesConfig;

  constructor(
    @Inject(DATABASES) databases: Databases<'catalogue'>,
    @Inject(MEMBER_FEATURES) features: MemberFeatures,
    @Inject(CONFIG) config: StrategiesConfig,
  ) {
    this.#databases = databases;
    this.#features = features;
    this.#config = config;
  }

  async execute({ urlId, account }: FindStrategyDetails): Promise<StrategyDetails> {
    if (!isStrategyId(urlId)) throw notFound(urlId);
    const { rows } = await this.#databases.catalogue.query<StoredDetails>(byId, [urlId]);
    const [details] = rows;
    if (!details) throw notFound(urlId);
    const sourceCodeIncluded = await this.#features.has(account, 'sourceCode');
    return {
      ...details,
      pineScript: sourceCodeIncluded ? details.pineScript : null,
      sourceCodeIncluded,
      ...sourceOf(details, this.#config.CHART_ORIGIN),
      categories: [...indicatorLabels(details.categories)],
    };
  }
}
