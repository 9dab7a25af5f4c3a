import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import { DomainError } from '@tapedeck/kernel';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ExtendRouteConfig } from './route-config.ts';

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface FastifyContextConfig {
    upload?: Readonly<{ maxBytes: number }>;
  }
}

/** The boundaries and fields of the form around the file. */
const maxFormBytes = 512 * 1_024;

/** A route whose body is a form with one file, which it reads as a stream. Other routes refuse forms. */
export const UploadRoute = (field: string, maxBytes: number): MethodDecorator =>
  applyDecorators(
    ExtendRouteConfig({ upload: { maxBytes } }),
    ApiConsumes('multipart/form-data'),
    ApiBody({
      schema: {
        type: 'object',
        required: [field],
        properties: { [field]: { type: 'string', format: 'binary' } },
      },
    }),
  );

/** Whether the request is a form for such a route. */
export const isUpload = ({ routeOptions, headers }: FastifyRequest): boolean =>
  routeOptions.config.upload !== undefined && /^multipart\/form-data *;/i.test(headers['content-type'] ?? '');

export const uploadTooLarge = (maxBytes: number): DomainError =>
  new DomainError(
    'too-large',
    'UPLOAD_TOO_LARGE',
    `File size must be under ${Math.round(maxBytes / 1_048_576)}MB: split the file.`,
  );

/** Refuses at once what says that it is too large; the route counts what arrives. To be registered before any route. */
export const registerUploadRoutes = (fastify: FastifyInstance): void => {
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { upload } = request.routeOptions.config;
    const length = Number(request.headers['content-length'] ?? 0);
    done(upload && length > upload.maxBytes + maxFormBytes ? uploadTooLarge(upload.maxBytes) : undefined);
  });
};
