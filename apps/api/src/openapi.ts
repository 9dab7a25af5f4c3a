import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';

/** Describes the API as OpenAPI 3: `openapi.json`, which `npm run check` compares with this. */
export const openApiOf = (app: NestFastifyApplication): OpenAPIObject =>
  SwaggerModule.createDocument(
    app,
    new DocumentBuilder()
      .setTitle('Tapedeck')
      .setDescription(
        'Membership site and strategy catalogue. Errors are problems (RFC 9457) with a stable code.',
      )
      .setVersion('1')
      .addCookieAuth('session')
      .build(),
  );
