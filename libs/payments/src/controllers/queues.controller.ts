import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ReadsFrom, Returns, Roles } from '@tapedeck/platform/http';
import { ShowQueues } from '../queries/queues.ts';
import { Queues } from '../wire/queues.ts';

@Roles('support', 'admin')
@Controller('api/admin/queues')
export class QueuesController {
  readonly #queries: QueryBus;

  constructor(queries: QueryBus) {
    this.#queries = queries;
  }

  @Get()
  @ReadsFrom('payment_queues')
  @Returns(200, Queues, { description: 'What about money waits for a decision of a person' })
  show(): Promise<Queues> {
    return this.#queries.execute(new ShowQueues());
  }
}
