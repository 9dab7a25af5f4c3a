import type { BaseQueryFn, QueryReturnValue } from '@reduxjs/toolkit/query';
import type { TapePosition } from './tape-position.ts';

export type ApiRequest = Readonly<{
  url: string;
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  params?: URLSearchParams;
  body?: unknown;
  /** The answer is a file: `data` is its `Blob`. */
  isFile?: boolean;
}>;

/** `message` reads `status: what the server said`; `status` is a word where no answer came or none fitted. */
export type ApiError = Readonly<{
  status: number | 'network' | 'contract';
  message: string;
  /** What the server said, as a sentence for a person. */
  detail?: string;
  requestId?: string;
  /** Seconds after which the server asks to be asked again. */
  retryAfter?: number;
}>;

export type ExtraOptions = Readonly<{
  /** A 401 is an answer here, and the answer is nobody. */
  nobodyOn401?: boolean;
}>;

/** Random even where the page has no secure context and so no `crypto.randomUUID`. */
const commandId = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte, at) => {
    const marked = at === 6 ? (byte & 0x0f) | 0x40 : at === 8 ? (byte & 0x3f) | 0x80 : byte;
    return marked.toString(16).padStart(2, '0');
  }).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

type Told = Pick<ApiError, 'detail' | 'requestId'>;

/** What a problem (RFC 9457) says; nothing when the text is none. */
const toldBy = (text: string): Told => {
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

/** Only seconds: no server of ours sends a date. */
const retryAfterOf = (response: Response): number | undefined => {
  const text = response.headers.get('retry-after') ?? '';
  return /^\d{1,5}$/.test(text) ? Number(text) : undefined;
};

const failure = async (response: Response): Promise<ApiError> => {
  const text = await response.text();
  const retryAfter = retryAfterOf(response);
  return {
    status: response.status,
    message: `${response.status}: ${text || response.statusText}`,
    ...toldBy(text),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
};

const headersOf = (newest: string | null, isCommand: boolean, hasBody: boolean): Headers => {
  const headers = new Headers({ accept: 'application/json' });
  if (hasBody) headers.set('content-type', 'application/json');
  if (isCommand) headers.set('idempotency-key', commandId());
  else if (newest !== null) headers.set('tape-position', newest);
  return headers;
};

const answer = async (
  response: Response,
  isFile: boolean,
): Promise<QueryReturnValue<unknown, ApiError, Record<never, never>>> => {
  if (!response.ok) return { error: await failure(response) };
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

/** Commands carry a key of their own, reads the newest place on the tape that this browser has seen. */
export const createBaseQuery =
  (tape: TapePosition): ApiBaseQuery =>
  async (asked, { signal, type }, extra) => {
    const {
      url,
      method,
      params,
      body,
      isFile = false,
    }: ApiRequest = typeof asked === 'string' ? { url: asked } : asked;
    const query = params?.toString();
    try {
      const response = await fetch(query ? `${url}?${query}` : url, {
        method: method ?? 'GET',
        headers: headersOf(tape.newest(), type === 'mutation', body !== undefined),
        body: body === undefined ? null : JSON.stringify(body),
        credentials: 'include',
        signal,
      });
      tape.saw(response.headers.get('tape-position'));
      if (response.status === 401 && extra?.nobodyOn401) return { data: null };
      return await answer(response, isFile);
    } catch {
      return { error: { status: 'network', message: 'The server cannot be reached.' } };
    }
  };
