import { describe, expect, it } from '@jest/globals';
import type { ApiError } from '../../api/request.ts';
import { chartProblem } from './chart-problem.ts';

const answered = (status: number, code: string, more: Partial<ApiError> = {}): ApiError => ({
  status,
  code,
  message: `${status}: {"code":"${code}"}`,
  ...more,
});

describe('chartProblem', () => {
  it.each([
    ['CHART_NOT_ON_SITE', 404, 'This strategy is not available on TradingView'],
    ['CHART_MISSING', 404, 'Performance chart not available for this strategy'],
    ['CHART_TIMEOUT', 503, 'Loading timeout - please try again later'],
    ['CHART_UNREACHABLE', 503, 'Unable to load performance chart - please try again later'],
    ['CHART_CAPTURE_BUSY', 503, 'Unable to load performance chart - please try again later'],
    ['CHART_CAPTURE_UNAVAILABLE', 503, 'Performance chart not available'],
    ['STRATEGY_NOT_FOUND', 404, 'This strategy is not available on TradingView'],
    ['INTERNAL_ERROR', 500, 'Performance chart not available'],
  ])('of %s is the text of the specification', (code, status, text) => {
    expect(chartProblem(answered(status, code))).toEqual({ text });
  });

  it.each([
    ['502: the page does not exist', 'This strategy is not available on TradingView'],
    ['500: Chart Element is missing', 'Performance chart not available for this strategy'],
    ['504: Gateway Timeout', 'Loading timeout - please try again later'],
    ['502: Bad Gateway', 'Performance chart not available'],
  ])('of "%s", which has no name of ours, goes by its words', (message, text) => {
    expect(chartProblem({ status: 502, message })).toEqual({ text });
  });

  it('of a server that cannot be reached says so', () => {
    const error: ApiError = { status: 'network', message: 'The server cannot be reached.' };
    expect(chartProblem(error)?.text).toBe('Unable to load performance chart - please try again later');
  });

  it('says when it may be tried again, and the server’s words about its limit', () => {
    const detail = 'You have sent too many requests in a short time: try again in 9 seconds.';
    const limited = answered(429, 'RATE_LIMITED', { detail, retryAfterSeconds: 9 });
    expect(chartProblem(limited)).toEqual({ text: detail, retryAfterSeconds: 9 });
    expect(chartProblem(undefined)).toBeUndefined();
  });
});
