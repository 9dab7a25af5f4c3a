import { DomainError, type ErrorKind } from '@tapedeck/kernel';
import { chartTexts, type ChartFailure } from '../contract.ts';

const errors: Readonly<Record<ChartFailure, readonly [kind: ErrorKind, code: string]>> = {
  'not-on-site': ['not-found', 'CHART_NOT_ON_SITE'],
  'no-chart': ['not-found', 'CHART_MISSING'],
  timeout: ['unavailable', 'CHART_TIMEOUT'],
  unreachable: ['unavailable', 'CHART_UNREACHABLE'],
};

/** The last capture has failed; until `retryAt` none is tried. @param retryAt ISO 8601 UTC */
export const captureFailed = (failure: ChartFailure, retryAt: string, now: number): DomainError => {
  const [kind, code] = errors[failure];
  const retryAfterSeconds = Math.max(1, Math.ceil((Date.parse(retryAt) - now) / 1_000));
  return new DomainError(kind, code, chartTexts[failure], { retryAfterSeconds });
};

export const captureBusy = (retryAfterSeconds: number): DomainError =>
  new DomainError('unavailable', 'CHART_CAPTURE_BUSY', chartTexts.unreachable, { retryAfterSeconds });

const retryUnavailableSeconds = 60;

export const captureUnavailable = (): DomainError =>
  new DomainError('unavailable', 'CHART_CAPTURE_UNAVAILABLE', chartTexts.unavailable, {
    retryAfterSeconds: retryUnavailableSeconds,
  });
