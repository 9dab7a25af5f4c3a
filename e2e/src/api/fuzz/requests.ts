import { demoRecords } from '@tapedeck/strategies/demo';
import fc from 'fast-check';
import { operations, problemsInUndescribed, type Operation } from './operations.ts';

export type FuzzRequest = Readonly<{
  method: string;
  /** Path and query in ASCII. */
  target: string;
  headers: Readonly<Record<string, string | readonly string[]>>;
  body: string | Buffer | undefined;
  isMember: boolean;
  problemsIn: Operation['problemsIn'];
}>;

/** Text that is stored, compared, parsed or shown, in the forms that break programs. */
const hostileText = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.constantFrom(
      '',
      ' ',
      '\u0000',
      '\ud800',
      'a\udc00b',
      '\u202e\u2066',
      '__proto__',
      'constructor',
      'null',
      'NaN',
      '-Infinity',
      '1e999',
      '-0',
      '9007199254740993',
      '0x10',
      '../../etc/passwd',
      '%00%ff',
      "' or 1=1;--",
      '${7*7}{{7*7}}',
      '<script>alert(1)</script>',
      '=cmd|calc',
      '\r\nSet-Cookie: a=b',
      'S3LKflwr',
      '2026-02-30',
      '999999-01-01',
      'true',
    ),
  },
  { weight: 5, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 5, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
  fc.nat(12_000).map((length) => 'x'.repeat(length)),
  fc.nat(12_000).map((length) => '9'.repeat(length)),
  { weight: 2, arbitrary: fc.integer().map(String) },
  { weight: 2, arbitrary: fc.double().map(String) },
  fc.uuid(),
);

/** Percent-encoded bytes: also those that are no UTF-8, which `encodeURIComponent` would refuse. */
const encoded = (text: string): string =>
  Array.from(Buffer.from(text, 'utf8'), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

const component = fc.oneof(
  { weight: 8, arbitrary: hostileText.map(encoded) },
  { weight: 1, arbitrary: fc.constantFrom('%', '%zz', '%ff%fe', '%ed%a0%80', '+', '%2F', ';', '&', '=') },
);

const [first = '', second = ''] = [...demoRecords({ count: 2 })].map(({ url_id }) => url_id);

const oftenValid: ReadonlyMap<string, fc.Arbitrary<string>> = new Map(
  Object.entries({
    urlId: fc.constantFrom(first, 'S3LKflwr'),
    ids: fc.constantFrom(`${first},${second}`),
    field: fc.constantFrom('likes', 'sharpeRatio', 'totalPandlPercent'),
    active: fc.constantFrom('likes', 'sharpeRatio'),
    page: fc.nat(10).map(String),
    limit: fc.nat(100).map(String),
  }),
);

const valueOf = (name: string): fc.Arbitrary<string> => {
  const valid =
    oftenValid.get(name) ??
    (/^(?:min|max)_/.test(name) ? fc.integer({ min: -99, max: 99 }).map(String) : undefined);
  return valid ? fc.oneof({ weight: 2, arbitrary: valid }, { weight: 3, arbitrary: component }) : component;
};

const queryOf = ({ parameters }: Operation): fc.Arbitrary<string> => {
  const names = parameters.flatMap((parameter) => (parameter.in === 'query' ? [parameter.name] : []));
  const name = fc.constantFrom(...names, 'unknown', '__proto__', 'toString');
  // The same name may come several times.
  const pair = name.chain((key) => valueOf(key).map((value) => `${key}=${value}`));
  return fc.array(pair, { maxLength: 5 }).map((pairs) => (pairs.length > 0 ? `?${pairs.join('&')}` : ''));
};

const targetOf = (operation: Operation): fc.Arbitrary<string> => {
  const segments = operation.path.split('/').map((segment) => {
    const name = /^\{(.*)\}$/.exec(segment)?.[1];
    return name === undefined ? fc.constant(segment) : valueOf(name);
  });
  return fc
    .tuple(fc.tuple(...segments), queryOf(operation))
    .map(([parts, query]) => `${parts.join('/')}${query}`.slice(0, 14_000));
};

const onlyKeys = (fields: Readonly<Record<string, unknown>>, names: readonly string[]): unknown =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));

const validFields = fc.record(
  {
    urlId: fc.constant(first),
    tags: fc.array(fc.string({ maxLength: 20 }), { maxLength: 3 }),
    name: fc.string({ minLength: 1, maxLength: 20 }),
    query: fc.constant('min_likes=5'),
  },
  { requiredKeys: ['tags', 'name'] },
);

const bodyOf = ({ bodyFields }: Operation): fc.Arbitrary<string | Buffer | undefined> => {
  const value = fc.oneof(hostileText, fc.jsonValue(), fc.array(hostileText, { maxLength: 25 }));
  const object = fc
    .dictionary(fc.constantFrom(...(bodyFields ?? []), '__proto__', 'extra'), value, { maxKeys: 4 })
    .map((fields) => JSON.stringify(fields));
  const valid = validFields.map((fields) => JSON.stringify(onlyKeys(fields, bodyFields ?? [])));
  const broken = fc.constantFrom(
    '',
    '{',
    '[',
    '"',
    '{"a":1,}',
    '['.repeat(5_000),
    '\u0000',
    'null',
    '{"__proto__":{"a":1}}',
  );
  const bytes = fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array));
  const large = fc.nat(200_000).map((length) => `{"name":"${'x'.repeat(length)}"}`);
  const any = fc.oneof(
    { weight: 8, arbitrary: object },
    { weight: 5, arbitrary: valid },
    broken,
    bytes,
    large,
    fc.json(),
  );
  return bodyFields ? any : fc.option(any, { nil: undefined, freq: 2 });
};

const headerValue = fc.oneof(
  fc.string({
    unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)),
    maxLength: 60,
  }),
  fc.nat(4_000).map((length) => 'x'.repeat(length)),
  fc.constantFrom('"1"', 'W/"999999999999999999"', '*', '18446744073709551616', '-1', 'a,b'),
);

/** The first value nine times out of ten. */
const often = <T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof(
    { weight: 9, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );

const headersOf: fc.Arbitrary<FuzzRequest['headers']> = fc
  .tuple(
    often('same-origin', 'cross-site', 'none', 'x'),
    often('application/json', 'text/plain', 'application/json; charset=x', 'multipart/form-data', ''),
    fc.dictionary(
      fc.constantFrom(
        'idempotency-key',
        'tape-position',
        'if-match',
        'accept',
        'accept-encoding',
        'x-forwarded-for',
        'range',
        'if-none-match',
        'cookie2',
      ),
      headerValue,
      { maxKeys: 3 },
    ),
  )
  .map(([site, type, others]) => ({ ...others, 'sec-fetch-site': site, 'content-type': type }));

const requestOf = (operation: Operation): fc.Arbitrary<FuzzRequest> =>
  fc
    .tuple(targetOf(operation), headersOf, bodyOf(operation), often(true, false), fc.nat(19))
    .map(([target, headers, body, isMember, other]) => {
      const method = other === 0 ? 'PATCH' : other === 1 ? 'OPTIONS' : operation.method;
      const described = method === operation.method ? operation.problemsIn : problemsInUndescribed;
      return {
        method,
        target,
        headers,
        body: method === 'GET' ? undefined : body,
        isMember,
        problemsIn: described,
      };
    });

const undescribed: Operation = {
  method: 'GET',
  path: '/{anything}',
  parameters: [],
  bodyFields: undefined,
  problemsIn: problemsInUndescribed,
};

const fixedTargets = [
  '/',
  '//',
  '/%zz',
  '/api/',
  '/api//x',
  '/api/nothing',
  '/assets/',
  '/assets/%2e%2e/x',
  '/strategy/%00',
  '/index.html',
  '/health/',
  '/%2e%2e/%2e%2e/etc/passwd',
  '//evil.example',
  '/api/strategies/details/',
];

const undescribedRequest = fc
  .tuple(requestOf(undescribed), fc.option(fc.constantFrom(...fixedTargets), { freq: 2 }))
  .map(([request, target]) => ({ ...request, target: target ?? request.target }));

/** Each operation gets the same share of the requests, and addresses that none describes get one more share. */
export const fuzzRequests = (count: number, seed: number): readonly FuzzRequest[] => {
  const all = [...operations.map(requestOf), undescribedRequest];
  const perOperation = Math.ceil(count / all.length);
  return all.flatMap((arbitrary, at) => fc.sample(arbitrary, { numRuns: perOperation, seed: seed + at }));
};
