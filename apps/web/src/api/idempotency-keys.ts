import type { ApiError, ApiRequest } from './request.ts';

/** For how long after a try the same mutation is still the same intention. */
const keepForMs = 5 * 60_000;
const maxTries = 100;

/** One mutation as it is sent: what it changes, and everything that makes it different from another one. */
export type Try = Readonly<{ changes: string; content: string }>;

/** Tells one file from another without reading it. */
const describeFile = ({ name, size, lastModified }: File): unknown => [name, size, lastModified];
const describeForm = (form: FormData): unknown =>
  [...form].map(([name, value]) => [name, typeof value === 'string' ? value : describeFile(value)]);

export const tryOf = ({ method, url, body, ifMatch, changes = url }: ApiRequest): Try => ({
  changes,
  content: JSON.stringify([method, url, body instanceof FormData ? describeForm(body) : body, ifMatch]),
});

const statusesOfUnknownOutcome = new Set([408, 425, 429]);

/** Whether the server has executed or refused a mutation. After any other answer it may or may not have executed it. */
export const isOutcomeKnown = ({ status }: Pick<Response, 'status'>, error: ApiError | undefined): boolean =>
  status < 500 && !statusesOfUnknownOutcome.has(status) && error?.status !== 'contract';

export type IdempotencyKeys = Readonly<{
  /** The key for a try that is sent now. */
  keyFor: (attempt: Try) => string;
  /** Ends the intention: it succeeded or was refused. */
  end: (attempt: Try, key: string) => void;
}>;

/** A UUID of version 7: the ids of the events begin with its time, in milliseconds since 1970. */
const newKey = (time: number): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  const random = Array.from(bytes, (byte, at) => {
    const marked = at === 0 ? (byte & 0x0f) | 0x70 : at === 2 ? (byte & 0x3f) | 0x80 : byte;
    return marked.toString(16).padStart(2, '0');
  }).join('');
  const hex = time.toString(16).padStart(12, '0') + random;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

/**
 * One idempotency key for one intention. A mutation that is sent again gets the key of the try before it, until the
 * server has answered with success or a refusal: the first try may have been executed without our knowing. It is a new
 * intention, with a new key,
 *
 * - after such an answer (add, remove and add a star: three keys),
 * - when another mutation of the same thing was sent in between, whatever its outcome,
 * - after five minutes, and after a reload of the page.
 */
export const createIdempotencyKeys = (now: () => number): IdempotencyKeys => {
  const open = new Map<string, Readonly<{ content: string; key: string; at: number }>>();
  return {
    keyFor: ({ changes, content }) => {
      const last = open.get(changes);
      const isSame = last !== undefined && last.content === content && now() - last.at < keepForMs;
      const key = isSame ? last.key : newKey(now());
      open.delete(changes);
      open.set(changes, { content, key, at: now() });
      const oldest = open.keys().next();
      if (open.size > maxTries && !oldest.done) open.delete(oldest.value);
      return key;
    },
    end: ({ changes }, key) => {
      if (open.get(changes)?.key === key) open.delete(changes);
    },
  };
};
