import { describe, expect, it } from '@jest/globals';
import type { ApiError } from './request.ts';
import { detailsOf, failureOf, problemOf, problemText } from './problem-text.ts';

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

describe('the details of a failed request', () => {
  it('are status, id of the request and answer of a fault of the server, whether it has a sentence or not', () => {
    const message = '503: {"title":"Service Unavailable"}';
    const fault = failure({ status: 503, title: 'Service Unavailable', requestId: 'r-42', message });
    const details = `Status: 503 Service Unavailable\nRequest: r-42\n${message}`;
    expect(detailsOf(fault)).toBe(details);
    expect(problemOf({ ...fault, detail: 'Try again shortly.' }, fallback)).toEqual({
      text: 'Try again shortly.',
      details,
    });
  });

  it('are those of a refusal without a sentence, and of an answer that breaks its contract', () => {
    expect(detailsOf(failure({ status: 404, message: '404: Not Found' }))).toBe(
      'Status: 404\n404: Not Found',
    );
    expect(detailsOf(failure({ status: 'contract', message: 'no JSON' }))).toBe('Status: contract\nno JSON');
  });

  it('are shortened where the answer is a page', () => {
    const details = detailsOf(failure({ status: 502, message: `502: ${'<p>'.repeat(1_000)}` }));
    expect(details?.length).toBe('Status: 502\n'.length + 2_001);
    expect(details?.endsWith('…')).toBe(true);
  });

  it.each<[title: string, error: unknown]>([
    ['a refusal that says why', failure({ status: 409, detail: 'This name is taken.' })],
    ['a server that cannot be reached', failure({ status: 'network' })],
    ['an error of the program', new TypeError('x is undefined')],
  ])('are not there for %s', (_title, error) => {
    expect(detailsOf(error)).toBeNull();
  });
});

describe('a mutation', () => {
  it('that has succeeded has no problem', () => {
    expect(failureOf(undefined, fallback)).toBeNull();
  });

  it('that has failed has one', () => {
    expect(failureOf(failure({ status: 'network' }), fallback)).toEqual({
      text: `The server cannot be reached. ${fallback}`,
      details: null,
    });
  });
});
