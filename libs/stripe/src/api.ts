import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ReceiveStripeEventHandler } from './commands/receive-stripe-event.ts';
import { WebhookController } from './webhook.controller.ts';

@Module({
  imports: [CqrsModule],
  controllers: [WebhookController],
  providers: [ReceiveStripeEventHandler],
})
export class StripeModule {}
