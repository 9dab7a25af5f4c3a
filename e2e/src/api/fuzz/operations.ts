import { readFileSync } from 'node:fs';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';

type Schema = Readonly<Record<string, unknown>>;
type Content = Readonly<Record<string, Readonly<{ schema?: Schema }>>>;
type Parameter = Readonly<{ name: string; in: 'path' | 'query' | 'header'; schema?: Schema }>;
type Described = Readonly<{
  parameters?: readonly Parameter[];
  requestBody?: Readonly<{ content: Content }>;
  responses: Readonly<Record<string, Readonly<{ content?: Content }>>>;
}>;
type Document = Readonly<{
  paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  components: Readonly<{ schemas: Readonly<Record<string, Schema>> }>;
}>;

export type Operation = Readonly<{
  method: string;
  /** With `{name}` for each parameter of the path. */
  path: string;
  parameters: readonly Parameter[];
  /** The fields of its JSON body; undefined without a body. */
  bodyFields: readonly string[] | undefined;
  /** What contradicts the description in an answer; empty when nothing does. */
  problemsIn: (status: number, contentType: string, body: string) => readonly string[];
}>;

const document = JSON.parse(
  readFileSync(new URL('../../../../openapi.json', import.meta.url), 'utf8'),
) as Document;

const ajv = new Ajv.default({ strict: false, allErrors: false });
addFormats.default(ajv);
ajv.addSchema(document, 'api');

const absolute = (schema: Schema): Schema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')) as Schema;

const fieldsOf = ({ requestBody }: Described): readonly string[] | undefined => {
  const reference = requestBody?.content['application/json']?.schema?.['$ref'];
  if (requestBody === undefined) return undefined;
  const name = String(reference).split('/').at(-1) ?? '';
  return Object.keys((document.components.schemas[name]?.['properties'] as Schema | undefined) ?? {});
};

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
};

const checkOf = ({ responses }: Described): Operation['problemsIn'] => {
  const compiled = new Map(
    Object.entries(responses).map(([status, { content }]) => {
      const schema = content?.['application/json']?.schema;
      return [status, schema ? ajv.compile(absolute(schema)) : undefined] as const;
    }),
  );
  return (status, contentType, body) => {
    if (!compiled.has(String(status)) && !compiled.has('default'))
      return [`status ${status} is not declared`];
    const validate = compiled.get(compiled.has(String(status)) ? String(status) : 'default');
    if (!validate) return [];
    if (!/^application\/(?:problem\+)?json\b/.test(contentType))
      return [`its content type is "${contentType}"`];
    return validate(parsed(body)) ? [] : [ajv.errorsText(validate.errors)];
  };
};

/** Every operation of openapi.json. */
export const operations: readonly Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({
    method: method.toUpperCase(),
    path,
    parameters: described.parameters ?? [],
    bodyFields: fieldsOf(described),
    problemsIn: checkOf(described),
  })),
);

const anyProblem = checkOf({
  responses: {
    default: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } } },
  },
});

/** For answers to requests that no operation describes: errors are problems, everything else is a page or a file. */
export const problemsInUndescribed: Operation['problemsIn'] = (status, contentType, body) =>
  status < 400 || contentType.startsWith('text/html') ? [] : anyProblem(status, contentType, body);
