import { Controller, Sse, type MessageEvent } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { RequestClient } from '../client.ts';
import { RateLimited } from '../rate-limits.ts';
import type { RequestAccount } from '../request-context.ts';
import { CurrentAccount, Returns } from '../routes.ts';
import { ChangeStreams } from './change-streams.ts';

@Controller('api')
export class ChangesController {
  readonly #streams: ChangeStreams;

  constructor(streams: ChangeStreams) {
    this.#streams = streams;
  }

  @Sse('changes')
  @RateLimited('changes')
  @Returns(200, undefined, {
    description:
      'Server-sent events: the topic and the position after each change of the catalogue, and of the membership and billing of the account',
  })
  changes(
    @RequestClient() client: string,
    @CurrentAccount() account: RequestAccount,
  ): Promise<Observable<MessageEvent>> {
    return this.#streams.stream(client, account);
  }
}
