import { Controller, Get, Headers, Param, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { DomainError } from '@tapedeck/kernel';
import { Public, RateLimited, Returns } from '@tapedeck/platform/http';
import type { FastifyReply } from 'fastify';
import * as z from 'zod';
import type { PictureFormat } from '../capturer/wire.ts';
import { acceptedFormat } from '../pictures/accepted-format.ts';
import { FindPicture } from '../queries/find-picture.ts';

const PictureQuery = z.object({ v: z.string().optional() });

const forEver = 'public, max-age=31536000, immutable';

/** The version that an ETag of ours names in this format; those of others name nothing. */
const knownVersion = (ifNoneMatch: string | undefined, format: PictureFormat): string | undefined => {
  const [, version, ofFormat] = /^(?:W\/)?"([0-9a-f]{32})-(\w+)"$/.exec(ifNoneMatch ?? '') ?? [];
  return ofFormat === format ? version : undefined;
};

const fileOf = (name: string): string => {
  const urlId = /^([A-Za-z0-9]{8})\.png$/.exec(name)?.[1];
  if (urlId !== undefined) return urlId;
  throw new DomainError('not-found', 'PICTURE_NOT_FOUND', 'There is no picture at this address.');
};

@Controller('public-objects/screenshots')
export class PicturesController {
  readonly #queries: QueryBus;

  constructor(queries: QueryBus) {
    this.#queries = queries;
  }

  /** `.png` in every format: which one is sent depends on what the browser accepts. */
  @Public()
  @Get(':file')
  @RateLimited('pictures')
  @Returns(200, undefined, { description: 'image/avif, image/webp or image/png, by Accept' })
  async picture(
    @Param('file') file: string,
    @Query({ schema: PictureQuery }) { v }: z.infer<typeof PictureQuery>,
    @Headers('accept') accept: string | undefined,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const urlId = fileOf(file);
    const format = acceptedFormat(accept);
    const known = knownVersion(ifNoneMatch, format);
    void reply.header('vary', 'Accept');
    const found = await this.#queries.execute(new FindPicture(urlId, format, v, known));
    void reply
      .header('etag', `"${found.version}-${format}"`)
      .header('cache-control', found.isRequested ? forEver : 'public, no-cache');
    if (found.bytes) void reply.header('content-type', `image/${format}`).send(found.bytes);
    else void reply.status(304).send();
  }
}
