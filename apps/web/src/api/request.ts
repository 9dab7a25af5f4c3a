import { takeEarlyAnswer } from './early-answers.ts';
import { retries, type Outcome } from './retry.ts';

export type ApiRequest = Readonly<{
  url: string;
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  params?: URLSearchParams;
  /** Sent as JSON; a form, such as one with a file, as it is. */
  body?: unknown;
  /** What a mutation changes, where that is not `url`: the same for two mutations of which one undoes the other. */
  changes?: string;
  /** The ETag of what a mutation changes: it is refused when another page has changed the same in the meantime. */
  ifMatch?: string;
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

const bodyOf = (body: unknown): BodyInit | null => {
  if (body === undefined) return null;
  return body instanceof FormData ? body : JSON.stringify(body);
};

export type ApiAnswer = Readonly<
  { data: unknown; error?: undefined } | { error: ApiError; data?: undefined }
>;

const readAnswer = async (response: Response, isFile: boolean): Promise<ApiAnswer> => {
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

/** A server that refuses requests to limit its load, or has failed; any other answer shows that it works. */
const isFailing = (status: number): boolean => status >= 500 || status === 429;

export type SendOptions = Readonly<{
  headers?: Headers;
  signal?: AbortSignal;
  /** A request without an answer counts as failed after this time; by default it waits as long as the browser does. */
  timeoutMs?: number;
  /** How the request ended. */
  record?: (outcome: Outcome) => void;
}>;

export type Sent = Readonly<{
  /** Null where there was none. */
  response: Pick<Response, 'status' | 'headers'> | null;
  answer: ApiAnswer;
}>;

const unreachable: ApiError = { status: 'network', message: 'The server cannot be reached.' };

const abortAfter = (timeoutMs: number | undefined): Readonly<{ signal?: AbortSignal; end: () => void }> => {
  if (timeoutMs === undefined) return { end: () => undefined };
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeoutMs);
  return { signal: timeout.signal, end: () => clearTimeout(timer) };
};

const orAborted = <Answer>(answer: Promise<Answer>, signal: AbortSignal): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const abort = (): void => reject(new Error('The request was aborted.'));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    answer.then(resolve, reject);
  });

/** Sends a request and reads its answer; an error has the server's own words where it has any. */
export const sendRequest = async (request: ApiRequest, options: SendOptions = {}): Promise<Sent> => {
  const { url, method = 'GET', params, body, isFile = false } = request;
  const { headers = new Headers(), signal, timeoutMs, record = retries.record } = options;
  headers.set('accept', 'application/json');
  // The browser sets the type of a form, which contains the boundary between its parts.
  if (body !== undefined && !(body instanceof FormData)) headers.set('content-type', 'application/json');
  const query = params?.toString();
  const timeout = abortAfter(timeoutMs);
  try {
    const ended = AbortSignal.any([signal, timeout.signal].filter((each) => each !== undefined));
    const address = query ? `${url}?${query}` : url;
    const early = method === 'GET' ? takeEarlyAnswer(address) : undefined;
    const response = await (early
      ? orAborted(early, ended)
      : fetch(address, { method, headers, body: bodyOf(body), credentials: 'include', signal: ended }));
    const answer = await readAnswer(response, isFile);
    const { retryAfterSeconds } = answer.error ?? {};
    record({ isAnswered: !isFailing(response.status), retryAfterSeconds });
    return { response, answer };
  } catch {
    if (!signal?.aborted) record({ isAnswered: false });
    return { response: null, answer: { error: unreachable } };
  } finally {
    timeout.end();
  }
};
