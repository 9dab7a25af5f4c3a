import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/** The contract of the API as OpenAPI 3; committed as `openapi.json` and compared by `npm run check`. */
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
