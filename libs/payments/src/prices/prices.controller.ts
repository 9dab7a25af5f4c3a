import { Body, Controller, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  CurrentAccount,
  ReadsFrom,
  requestCommandContext,
  Returns,
  Roles,
  SendsCommands,
  StreamCommand,
  type RequestAccount,
} from '@tapedeck/platform/http';
import { priceChanges, priceStream } from '../domain/price-change.ts';
import {
  AnnouncedPrices,
  AnnouncePriceBody,
  PreviewPriceBody,
  PricePreview,
  priceRoutes,
  WithdrawPriceBody,
} from '../wire/prices.ts';
import { AnnouncePrice } from './announce-price.ts';
import { ListPrices } from './list-prices.ts';
import { PreviewPrice } from './preview-price.ts';

@Roles('admin')
@Controller()
export class PricesController {
  readonly #commands: CommandBus;
  readonly #queries: QueryBus;

  constructor(commands: CommandBus, queries: QueryBus) {
    this.#commands = commands;
    this.#queries = queries;
  }

  @Get(priceRoutes.prices)
  @ReadsFrom('payment_queues')
  @Returns(200, AnnouncedPrices, { description: 'What the plans cost, and what was announced to members' })
  show(): Promise<AnnouncedPrices> {
    return this.#queries.execute(new ListPrices());
  }

  @Post(priceRoutes.preview)
  @ReadsFrom('payment_queues')
  @Returns(200, PricePreview, { description: 'What an announcement would say, and to how many members' })
  preview(
    @CurrentAccount() { id: by }: RequestAccount,
    @Body({ schema: PreviewPriceBody }) wanted: PreviewPriceBody,
  ): Promise<PricePreview> {
    return this.#queries.execute(new PreviewPrice(wanted, by));
  }

  @Post(priceRoutes.prices)
  @SendsCommands()
  @Returns(204, undefined, { description: 'What was shown is announced: members are notified by mail' })
  announce(
    @CurrentAccount() { id: by }: RequestAccount,
    @Body({ schema: AnnouncePriceBody }) { previewId, reason }: AnnouncePriceBody,
  ): Promise<void> {
    return this.#commands.execute(new AnnouncePrice({ previewId, reason, by }));
  }

  @Post(priceRoutes.withdraw)
  @SendsCommands()
  @Returns(204, undefined, {
    description: 'The announcement is withdrawn: members who were notified get a mail about it',
  })
  async withdraw(
    @CurrentAccount() { id: by }: RequestAccount,
    @Body({ schema: WithdrawPriceBody }) { tier, period, announcementId, reason }: WithdrawPriceBody,
  ): Promise<void> {
    const { now } = requestCommandContext();
    const command = { type: 'WithdrawPriceChange', announcementId, by, reason, now } as const;
    await this.#commands.execute(new StreamCommand(priceChanges, priceStream({ tier, period }), command));
  }
}
