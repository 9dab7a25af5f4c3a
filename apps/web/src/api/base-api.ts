import { createApi, type BaseQueryFn, type QueryReturnValue } from '@reduxjs/toolkit/query/react';
import { createIdempotencyKeys, type IdempotencyKeys, type Try } from './idempotency-keys.ts';
import { createTapePosition, type TapePosition } from './tape-position.ts';

export type ApiRequest = Readonly<{
  url: string;
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  params?: URLSearchParams;
  /** Sent as JSON; a form, such as one with a file, as it is. */
  body?: unknown;
  /** What a mutation changes, where that is not `url`: the same for two mutations of which one undoes the other. */
  changes?: string;
  /** The answer is a file: `data` is its `Blob`. */
  isFile?: boolean;
}>;

/** `status` is a word where there was no answer or none that fits its contract. */
export type ApiError = Readonly<{
  status: number | 'network' | 'contract';
  /** `503: ` and the body of the answer, as the specification wants it. */
  message: string;
  /** What went wrong in two or three words, such as “Service Unavailable”. */
  title?: string;
  /** The server's name for what went wrong. */
  code?: string;
  /** The server's own sentence for a person. */
  detail?: string;
  requestId?: string;
  /** From the header `Retry-After`. */
  retryAfterSeconds?: number;
}>;

/** Whether the member's plan does not include what was asked for; the error's detail says which one does. */
export const isNotIncluded = (error: object | undefined): error is ApiError =>
  error !== undefined && 'code' in error && error.code === 'FEATURE_NOT_INCLUDED';

export type ExtraOptions = Readonly<{
  /** A 401 is an answer here: the browser is not signed in. */
  nullOn401?: boolean;
  /** Asked again soon while the answer does not contain all that the browser has seen. */
  repeatsWhenStale?: boolean;
}>;

/** Of an answer that is to be asked for again. */
export type AnswerMeta = Readonly<{ repeats: true }>;

/** The fields of a problem document (RFC 9457); empty when the text is not one. */
const problemFields = (text: string): Pick<ApiError, 'title' | 'code' | 'detail' | 'requestId'> => {
  try {
    const { title, code, detail, requestId } = Object(JSON.parse(text)) as Readonly<Record<string, unknown>>;
    return {
      ...(typeof title === 'string' ? { title } : {}),
      ...(typeof code === 'string' ? { code } : {}),
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
  const { status, statusText } = response;
  const text = await response.text();
  return {
    status,
    message: `${status}: ${text || statusText}`,
    ...(statusText ? { title: statusText } : {}),
    ...problemFields(text),
    ...retryAfterField(response),
  };
};

const headersFor = (newestPosition: string | null, key: string | null, body: unknown): Headers => {
  const headers = new Headers({ accept: 'application/json' });
  // The browser sets the type of a form, which contains the boundary between its parts.
  if (body !== undefined && !(body instanceof FormData)) headers.set('content-type', 'application/json');
  if (key !== null) headers.set('idempotency-key', key);
  else if (newestPosition !== null) headers.set('tape-position', newestPosition);
  return headers;
};

/** Tells one file from another without reading it. */
const describeFile = ({ name, size, lastModified }: File): unknown => [name, size, lastModified];
const describeForm = (form: FormData): unknown =>
  [...form].map(([name, value]) => [name, typeof value === 'string' ? value : describeFile(value)]);

const tryOf = ({ method, url, body, changes = url }: ApiRequest): Try => ({
  changes,
  content: JSON.stringify([method, url, body instanceof FormData ? describeForm(body) : body]),
});

const bodyOf = (body: unknown): BodyInit | null => {
  if (body === undefined) return null;
  return body instanceof FormData ? body : JSON.stringify(body);
};

const statusesOfUnknownOutcome = new Set([408, 425, 429]);

/** Whether the server has executed or refused a mutation. After any other answer it may or may not have executed it. */
const isOutcomeKnown = ({ status }: Response, error: ApiError | undefined): boolean =>
  status < 500 && !statusesOfUnknownOutcome.has(status) && error?.status !== 'contract';

const readAnswer = async (
  response: Response,
  isFile: boolean,
): Promise<QueryReturnValue<unknown, ApiError, AnswerMeta>> => {
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

export type ApiBaseQuery = BaseQueryFn<string | ApiRequest, unknown, ApiError, ExtraOptions, AnswerMeta>;

/**
 * Queries carry the newest tape position that this browser has seen, mutations an idempotency key: the same one when a
 * person tries the same again after a failure that leaves the outcome unknown (`createIdempotencyKeys` has the rule).
 */
export const createBaseQuery =
  (tape: TapePosition, keys: IdempotencyKeys): ApiBaseQuery =>
  async (urlOrRequest, { signal, type }, extra) => {
    const request: ApiRequest = typeof urlOrRequest === 'string' ? { url: urlOrRequest } : urlOrRequest;
    const { url, method, params, body, isFile = false } = request;
    const query = params?.toString();
    const key = type === 'mutation' ? keys.keyFor(tryOf(request)) : null;
    try {
      const response = await fetch(query ? `${url}?${query}` : url, {
        method: method ?? 'GET',
        headers: headersFor(tape.newest(), key, body),
        body: bodyOf(body),
        credentials: 'include',
        signal,
      });
      tape.record(response.headers.get('tape-position'));
      if (response.status === 401 && extra?.nullOn401) return { data: null };
      const answer = await readAnswer(response, isFile);
      if (key !== null && isOutcomeKnown(response, answer.error)) keys.end(tryOf(request), key);
      const isStale = response.headers.get('tape-stale') === 'true';
      return isStale && extra?.repeatsWhenStale ? { ...answer, meta: { repeats: true } } : answer;
    } catch {
      return { error: { status: 'network', message: 'The server cannot be reached.' } };
    }
  };

/** The browser's storage is looked up at each use: it may be forbidden, or missing in a test. */
const tabStorage: Pick<Storage, 'getItem' | 'setItem'> = {
  getItem: (key) => sessionStorage.getItem(key),
  setItem: (key, text) => sessionStorage.setItem(key, text),
};

export const tapePosition = createTapePosition(tabStorage, () => Date.now());

/**
 * The one api of the client; each feature injects its endpoints. Unless an endpoint says otherwise, data stays
 * until one of its tags is invalidated: no polling, no refetch on focus, no retries.
 */
export const baseApi = createApi({
  baseQuery: createBaseQuery(
    tapePosition,
    createIdempotencyKeys(() => Date.now()),
  ),
  keepUnusedDataFor: Infinity,
  catchSchemaFailure: ({ schemaName, message }): ApiError => ({
    status: 'contract',
    message: `The server's answer does not fit its contract (${schemaName}): ${message}`,
  }),
  endpoints: () => ({}),
});

/**
 * How long lists, ranges and figures of the catalogue are fresh, and how long they are kept unused: “Freshness” in
 * `docs/product-decisions.md`.
 */
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
