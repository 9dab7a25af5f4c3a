export type * from './domain/performance-chart.ts';
export { chartCaptureEvents, performanceChartStream } from './domain/performance-chart.ts';
