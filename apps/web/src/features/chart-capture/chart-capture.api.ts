import { chartCaptureRoutes, ChartPicture, SampleStrategy } from '@tapedeck/chart-capture/contract';
import { baseApi } from '../../api/base-api.ts';

const chartCaptureApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    /** A query, although it is sent by POST: what it captures, it captures once for everybody. */
    performanceChart: build.query<ChartPicture, string>({
      query: (urlId) => ({ url: chartCaptureRoutes.capture, method: 'POST', body: { urlId } }),
      responseSchema: ChartPicture,
    }),
    sampleStrategy: build.query<SampleStrategy, void>({
      query: () => chartCaptureRoutes.sample,
      responseSchema: SampleStrategy,
    }),
  }),
});

export const { usePerformanceChartQuery, useSampleStrategyQuery } = chartCaptureApi;
