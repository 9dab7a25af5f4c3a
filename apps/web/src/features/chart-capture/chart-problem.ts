import { chartTexts } from '@tapedeck/chart-capture/contract';
import type { ApiError } from '../../api/request.ts';

/** What people read instead of the chart. */
export type ChartProblem = Readonly<{
  text: string;
  /** Undefined when it may be tried at once. */
  retryAfterSeconds?: number;
}>;

/** By the server's names of what went wrong. */
const textsByCode: Readonly<Record<string, string>> = {
  CHART_NOT_ON_SITE: chartTexts['not-on-site'],
  CHART_MISSING: chartTexts['no-chart'],
  CHART_TIMEOUT: chartTexts.timeout,
  CHART_UNREACHABLE: chartTexts.unreachable,
  CHART_CAPTURE_BUSY: chartTexts.unreachable,
  PICTURE_STORE_UNAVAILABLE: chartTexts.unreachable,
  CHART_CAPTURE_UNAVAILABLE: chartTexts.unavailable,
};

/** Of an answer that no name of ours explains, such as that of a proxy: by its words. */
const textByWords = ({ status, message }: ApiError): string => {
  const words = message.toLowerCase();
  if (status === 'network') return chartTexts.unreachable;
  if (/not exist|404|not found/.test(words)) return chartTexts['not-on-site'];
  if (words.includes('chart element')) return chartTexts['no-chart'];
  if (words.includes('timeout')) return chartTexts.timeout;
  return chartTexts.unavailable;
};

const isApiError = (error: object): error is ApiError => 'status' in error && 'message' in error;

/** Undefined without an error. */
export const chartProblem = (error: object | undefined): ChartProblem | undefined => {
  if (error === undefined) return undefined;
  if (!isApiError(error)) return { text: chartTexts.unavailable };
  const { code, status, detail, retryAfterSeconds } = error;
  const ofLimit = status === 429 ? detail : undefined;
  const text = textsByCode[code ?? ''] ?? ofLimit ?? textByWords(error);
  return { text, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
};
