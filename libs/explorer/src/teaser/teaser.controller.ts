import { Controller, Get, Res } from '@nestjs/common';
import { Public, RateLimited, Returns } from '@tapedeck/platform/http';
import type { FastifyReply } from 'fastify';
import { Teaser } from '../contract.ts';
import { CurrentTeaser, teaserSeconds } from './current-teaser.ts';

/** While this server cannot answer, a cache may repeat the last table for a day. */
const caching = `public, max-age=${teaserSeconds}, stale-while-revalidate=600, stale-if-error=86400`;

@Public()
@Controller('api/strategies')
export class TeaserController {
  readonly #current: CurrentTeaser;

  constructor(current: CurrentTeaser) {
    this.#current = current;
  }

  /** A `GET` with its ETag is answered by 304 (platform's `conditional-answers.ts`). */
  @Get('teaser')
  @RateLimited('teaser')
  @Returns(200, Teaser, { description: 'Counts of the catalogue for visitors', trusted: true })
  async teaser(@Res({ passthrough: true }) reply: FastifyReply): Promise<Teaser> {
    const { teaser, etag } = await this.#current.get();
    void reply.header('cache-control', caching).header('etag', etag);
    return teaser;
  }
}
