import { Inject, Module, type OnModuleDestroy, type Provider } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { Clock } from '@tapedeck/kernel';
import { createDailyCounter, type DailyCounter } from '@tapedeck/platform/daily-counts';
import type { Databases } from '@tapedeck/platform/databases';
import type { Logger } from '@tapedeck/platform/log';
import { CLOCK, DATABASES, LOGGER } from '@tapedeck/platform/tokens';
import {
  ReceiveStripeEventHandler,
  WRONGLY_SIGNED,
  wronglySignedName,
} from './commands/receive-stripe-event.ts';
import { WebhookController } from './webhook.controller.ts';

const wronglySigned: Provider = {
  provide: WRONGLY_SIGNED,
  inject: [DATABASES, CLOCK, LOGGER],
  useFactory: ({ tapedeck: pool }: Databases, clock: Clock, logger: Logger): DailyCounter =>
    createDailyCounter({ name: wronglySignedName, pool, clock, logger }),
};

@Module({
  imports: [CqrsModule],
  controllers: [WebhookController],
  providers: [wronglySigned, ReceiveStripeEventHandler],
})
export class StripeModule implements OnModuleDestroy {
  readonly #wronglySigned: DailyCounter;

  constructor(@Inject(WRONGLY_SIGNED) counter: DailyCounter) {
    this.#wronglySigned = counter;
  }

  async onModuleDestroy(): Promise<void> {
    await this.#wronglySigned.close();
  }
}
