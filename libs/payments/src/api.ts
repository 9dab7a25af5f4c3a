import { Inject, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { Clock } from '@tapedeck/kernel';
import type { ApiConfig } from '@tapedeck/platform/config';
import { ClientConfigParts } from '@tapedeck/platform/http';
import { CLOCK, CONFIG } from '@tapedeck/platform/tokens';
import { ReceiveStripeEventHandler } from './commands/receive-stripe-event.ts';
import type { PaymentsClientConfig } from './contract.ts';
import { planPrices } from './plan-prices.ts';
import { openStripe, STRIPE } from './stripe/stripe.ts';
import { WebhookController } from './webhook.controller.ts';

export { checkPrices } from './check-prices.ts';

@Module({
  imports: [CqrsModule],
  controllers: [WebhookController],
  providers: [
    {
      provide: STRIPE,
      inject: [CONFIG, CLOCK],
      useFactory: (config: ApiConfig, clock: Clock) => openStripe(config, clock),
    },
    ReceiveStripeEventHandler,
  ],
})
export class PaymentsModule {
  constructor(clientConfig: ClientConfigParts, @Inject(CONFIG) config: ApiConfig) {
    const plans = planPrices(config).map(({ priceId: _id, variable: _variable, ...plan }) => plan);
    clientConfig.register((): PaymentsClientConfig => ({ plans }));
  }
}
