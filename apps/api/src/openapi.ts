import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';

/** OpenAPI 3.0 demands the null of a nullable enumeration among its values; zod leaves it out. */
const withNulls = (_name: string, part: unknown): unknown => {
  const isNullableEnum =
    typeof part === 'object' &&
    part !== null &&
    'nullable' in part &&
    'enum' in part &&
    Array.isArray(part.enum) &&
    !part.enum.includes(null);
  return isNullableEnum ? { ...part, enum: [...(part.enum as unknown[]), null] } : part;
};

/** Describes the API as OpenAPI 3: `openapi.json`, which `npm run check` compares with this. */
export const openApiOf = (app: NestFastifyApplication): OpenAPIObject => {
  const document = SwaggerModule.createDocument(
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
  return JSON.parse(JSON.stringify(document, withNulls)) as OpenAPIObject;
};
