// What the API and the capture process say to each other.
import * as z from 'zod';
import { chartFailures } from '../domain/chart-failure.ts';

export const captureAddress = '/captures';

/** The largest answer: three pictures in base64. */
export const maxAnswerBytes = 24 * 1_024 * 1_024;

export const CaptureRequest = z.object({ urlId: z.string() });

export const pictureFormats = ['png', 'webp', 'avif'] as const;
export type PictureFormat = (typeof pictureFormats)[number];

export const CaptureAnswer = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('captured'),
    width: z.number().int().positive(),
    height: z.number().int().positive(),
    /** In base64. */
    pictures: z.object({ png: z.string(), webp: z.string(), avif: z.string() }),
  }),
  z.object({ outcome: z.literal('failed'), failure: z.enum(chartFailures) }),
  /** The queue is full, or the browser has just ended several times. */
  z.object({ outcome: z.literal('busy'), retryAfterSeconds: z.number().int().positive() }),
  /** There is no browser. */
  z.object({ outcome: z.literal('unavailable') }),
]);
export type CaptureAnswer = z.infer<typeof CaptureAnswer>;
