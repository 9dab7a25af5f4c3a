import { describe, expect, it } from '@jest/globals';
import type { ApiError } from './request.ts';
import { problemText } from './problem-text.ts';

const fallback = 'The note was not saved: try again.';
const failure = (fields: Partial<ApiError>): ApiError => ({ status: 500, message: '500: {}', ...fields });

describe('the text of a failed request', () => {
  it.each<[title: string, error: unknown, text: string]>([
    ['the detail of the problem', failure({ detail: 'It is too long.' }), 'It is too long.'],
    [
      'the detail also of a request beyond the rate limit',
      failure({ status: 429, detail: 'Wait a minute.', retryAfterSeconds: 60 }),
      'Wait a minute.',
    ],
    [
      'when to try again, for a request beyond the rate limit',
      failure({ status: 429, retryAfterSeconds: 12 }),
      'You have sent too many requests in a short time: try again in 12 s.',
    ],
    [
      'that it was too many requests, where the answer does not say for how long',
      failure({ status: 429 }),
      'You have sent too many requests in a short time: try again in a moment.',
    ],
    [
      'that the server cannot be reached, and the fallback',
      failure({ status: 'network' }),
      `The server cannot be reached. ${fallback}`,
    ],
    ['the fallback for an answer without a detail', failure({}), fallback],
    ['the fallback for an empty detail', failure({ detail: '' }), fallback],
    ['the fallback for an answer that breaks its contract', failure({ status: 'contract' }), fallback],
    ['the fallback for an error of the program', new TypeError('x is undefined'), fallback],
    ['the fallback where there is no error', undefined, fallback],
  ])('is %s', (_title, error, text) => {
    expect(problemText(error, fallback)).toBe(text);
  });
});
