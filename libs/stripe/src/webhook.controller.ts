import { Controller, Headers, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { RawBody, Returns, WebhookRoute } from '@tapedeck/platform/http';
import * as z from 'zod';
import { ReceiveStripeEvent } from './commands/receive-stripe-event.ts';

/** docs/product-decisions.md#webhook */
const maxBytes = 1_048_576;

const WebhookReceived = z.object({ received: z.literal(true) }).meta({ id: 'WebhookReceived' });
type WebhookReceived = z.infer<typeof WebhookReceived>;

@Controller('api/stripe/webhook')
export class WebhookController {
  readonly #commands: CommandBus;

  constructor(commands: CommandBus) {
    this.#commands = commands;
  }

  @Post()
  @WebhookRoute(maxBytes)
  @Returns(200, WebhookReceived)
  async receive(
    @RawBody() body: Buffer,
    @Headers('stripe-signature') signature: string | undefined,
  ): Promise<WebhookReceived> {
    await this.#commands.execute(new ReceiveStripeEvent(body, signature));
    return { received: true };
  }
}
