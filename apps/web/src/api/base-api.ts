import { createApi, type BaseQueryFn, type QueryReturnValue } from '@reduxjs/toolkit/query/react';
import { createTapePosition, type TapePosition } from './tape-position.ts';

export type ApiRequest = Readonly<{
  url: string;
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  params?: URLSearchParams;
  body?: unknown;
  /** The answer is a file: `data` is its `Blob`. */
  isFile?: boolean;
}>;

/** `status` is a word where there was no answer or none that fits its contract. */
export type ApiError = Readonly<{
  status: number | 'network' | 'contract';
  /** `503: ` and the body of the answer, as the specification wants it. */
  message: string;
  /** The server's own sentence for a person. */
  detail?: string;
  requestId?: string;
  /** From the header `Retry-After`. */
  retryAfterSeconds?: number;
}>;

export type ExtraOptions = Readonly<{
  /** A 401 is an answer here: nobody is signed in. */
  nullOn401?: boolean;
}>;

/** Random even where the page has no secure context and so no `crypto.randomUUID`. */
const newIdempotencyKey = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte, at) => {
    const marked = at === 6 ? (byte & 0x0f) | 0x40 : at === 8 ? (byte & 0x3f) | 0x80 : byte;
    return marked.toString(16).padStart(2, '0');
  }).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

/** The fields of a problem document (RFC 9457); empty when the text is not one. */
const problemFields = (text: string): Pick<ApiError, 'detail' | 'requestId'> => {
  try {
    const { detail, requestId } = Object(JSON.parse(text)) as Readonly<Record<string, unknown>>;
    return {
      ...(typeof detail === 'string' ? { detail } : {}),
      ...(typeof requestId === 'string' ? { requestId } : {}),
    };
  } catch {
    return {};
  }
};

/** Only seconds: our servers never send a date. */
const retryAfterField = (response: Response): Pick<ApiError, 'retryAfterSeconds'> => {
  const text = response.headers.get('retry-after') ?? '';
  return /^\d{1,5}$/.test(text) ? { retryAfterSeconds: Number(text) } : {};
};

const readError = async (response: Response): Promise<ApiError> => {
  const text = await response.text();
  return {
    status: response.status,
    message: `${response.status}: ${text || response.statusText}`,
    ...problemFields(text),
    ...retryAfterField(response),
  };
};

const headersFor = (newestPosition: string | null, isCommand: boolean, hasBody: boolean): Headers => {
  const headers = new Headers({ accept: 'application/json' });
  if (hasBody) headers.set('content-type', 'application/json');
  if (isCommand) headers.set('idempotency-key', newIdempotencyKey());
  else if (newestPosition !== null) headers.set('tape-position', newestPosition);
  return headers;
};

const readAnswer = async (
  response: Response,
  isFile: boolean,
): Promise<QueryReturnValue<unknown, ApiError, Record<never, never>>> => {
  if (!response.ok) return { error: await readError(response) };
  if (isFile) return { data: await response.blob() };
  const text = await response.text();
  if (text === '') return { data: null };
  try {
    return { data: JSON.parse(text) as unknown };
  } catch {
    return { error: { status: 'contract', message: 'The server answered with something other than JSON.' } };
  }
};

export type ApiBaseQuery = BaseQueryFn<string | ApiRequest, unknown, ApiError, ExtraOptions>;

/** Mutations carry a new idempotency key, queries the newest tape position that this browser has seen. */
export const createBaseQuery =
  (tape: TapePosition): ApiBaseQuery =>
  async (urlOrRequest, { signal, type }, extra) => {
    const request: ApiRequest = typeof urlOrRequest === 'string' ? { url: urlOrRequest } : urlOrRequest;
    const { url, method, params, body, isFile = false } = request;
    const query = params?.toString();
    try {
      const response = await fetch(query ? `${url}?${query}` : url, {
        method: method ?? 'GET',
        headers: headersFor(tape.newest(), type === 'mutation', body !== undefined),
        body: body === undefined ? null : JSON.stringify(body),
        credentials: 'include',
        signal,
      });
      tape.record(response.headers.get('tape-position'));
      if (response.status === 401 && extra?.nullOn401) return { data: null };
      return await readAnswer(response, isFile);
    } catch {
      return { error: { status: 'network', message: 'The server cannot be reached.' } };
    }
  };

/** The browser's storage is looked up at each use: it may be forbidden, or missing in a test. */
const tabStorage: Pick<Storage, 'getItem' | 'setItem'> = {
  getItem: (key) => sessionStorage.getItem(key),
  setItem: (key, text) => sessionStorage.setItem(key, text),
};

/**
 * The one api of the client; each feature injects its endpoints. Unless an endpoint says otherwise, data stays
 * until one of its tags is invalidated: no polling, no refetch on focus, no retries.
 */
export const baseApi = createApi({
  baseQuery: createBaseQuery(createTapePosition(tabStorage, () => Date.now())),
  keepUnusedDataFor: Infinity,
  catchSchemaFailure: ({ schemaName, message }): ApiError => ({
    status: 'contract',
    message: `The server's answer does not fit its contract (${schemaName}): ${message}`,
  }),
  endpoints: () => ({}),
});

/** D17: how long lists, ranges and figures of the catalogue are fresh, and how long they are kept unused. */
export const staleAfterSeconds = 30;
export const keepUnusedSeconds = 120;

/** The tag of a whole list. Every tag has an id, so that one entry can have a tag of its own beside it. */
export const listTag = <Type extends string>(type: Type): Readonly<{ type: Type; id: 'LIST' }> => ({
  type,
  id: 'LIST',
});

/** For `invalidatesTags`: a mutation that failed has changed nothing. */
export const onSuccess =
  <Tag>(...tags: readonly Tag[]) =>
  (_answer: unknown, error: unknown): readonly Tag[] =>
    error ? [] : tags;
