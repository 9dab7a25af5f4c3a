import type { Projection } from '@tapedeck/eventing';
import { performanceCharts } from './projections/performance-charts.ts';

export const chartCaptureProjections: readonly Projection[] = [performanceCharts];
