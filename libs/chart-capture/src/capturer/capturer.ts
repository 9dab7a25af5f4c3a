import type { StrategyId } from '@tapedeck/strategies/events';
import type { ChartFailure } from '../domain/chart-failure.ts';
import { CaptureAnswer, captureAddress, maxAnswerBytes, pictureFormats, type PictureFormat } from './wire.ts';

export type Pictures = Readonly<Record<PictureFormat, Uint8Array>>;

export type CapturedChart = Readonly<{
  outcome: 'captured';
  width: number;
  height: number;
  pictures: Pictures;
}>;

export type CaptureOutcome =
  | CapturedChart
  | Readonly<{ outcome: 'failed'; failure: ChartFailure }>
  | Readonly<{ outcome: 'busy'; retryAfterSeconds: number }>
  | Readonly<{ outcome: 'unavailable' }>;

/** The port to the capture process. */
export type Capturer = Readonly<{ capture: (urlId: StrategyId) => Promise<CaptureOutcome> }>;

/** For all of it: waiting in the queue, the page, and the pictures. */
const captureMs = 60_000;
/** While the process is started again. */
const retryAfterSeconds = 5;

/** @throws Error when the answer is larger than any honest one */
const readLimited = async (response: Response): Promise<string> => {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > maxAnswerBytes) throw new Error('The answer of the capture process is too large.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
};

const startsWith: Readonly<Record<PictureFormat, (bytes: Buffer) => boolean>> = {
  png: (bytes) => bytes.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n',
  webp: (bytes) => /^RIFF.{4}WEBP$/s.test(bytes.subarray(0, 12).toString('latin1')),
  avif: (bytes) => bytes.subarray(4, 12).toString('latin1') === 'ftypavif',
};

const decoded = (encoded: Readonly<Record<PictureFormat, string>>): Pictures => {
  const pictures = pictureFormats.map((format) => {
    const bytes = Buffer.from(encoded[format], 'base64');
    if (!startsWith[format](bytes)) throw new Error(`The capture process has sent no picture as ${format}.`);
    return [format, bytes] as const;
  });
  // One entry for each format.
  return Object.fromEntries(pictures) as unknown as Pictures;
};

export type CapturerOptions = Readonly<{ url: string; secret: string; onError: (error: unknown) => void }>;

/** Asks the process at `url`. When that does not answer, it is being started again: `busy`. */
export const createCapturer = ({ url, secret, onError }: CapturerOptions): Capturer => ({
  capture: async (urlId) => {
    try {
      const response = await fetch(new URL(captureAddress, url), {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
        body: JSON.stringify({ urlId }),
        redirect: 'error',
        signal: AbortSignal.timeout(captureMs),
      });
      if (!response.ok) throw new Error(`The capture process has answered with ${response.status}.`);
      const answer = CaptureAnswer.parse(JSON.parse(await readLimited(response)));
      return answer.outcome === 'captured' ? { ...answer, pictures: decoded(answer.pictures) } : answer;
    } catch (error) {
      onError(error);
      return { outcome: 'busy', retryAfterSeconds };
    }
  },
});

/** Where no charting site or no capture process is configured. */
export const noCapturer: Capturer = { capture: () => Promise.resolve({ outcome: 'unavailable' }) };
