import type { Block } from './block.ts';
import { averages } from './averages.ts';
import { bands } from './bands.ts';
import { momentum } from './momentum.ts';
import { trend } from './trend.ts';
import { volumeAndLevels } from './volume-and-levels.ts';

/** All indicators of generated strategies. */
const blocks: readonly Block[] = [...averages, ...trend, ...momentum, ...bands, ...volumeAndLevels];

/** How often each occurs, about as in real catalogues; the weight of the others is 3. */
const frequency: Readonly<Record<string, number>> = {
  SMA: 60,
  EMA: 90,
  ATR: 12,
  RSI: 75,
  WMA: 12,
  RMA: 5,
  MACD: 60,
  VWMA: 10,
  'Bollinger Bands': 40,
  Supertrend: 38,
  ADX: 26,
  HMA: 24,
  Stochastic: 26,
  'Linear Regression': 8,
  'Pivot Points': 14,
  'Donchian Channels': 18,
  'Heikin Ashi': 12,
  VWAP: 16,
  ichimoku: 16,
  CCI: 8,
  MFI: 7,
  OBV: 6,
  KAMA: 6,
  'Parabolic SAR': 8,
};

export const weightedBlocks: readonly (readonly [block: Block, weight: number])[] = blocks.map((block) => [
  block,
  frequency[block.indicator] ?? 3,
]);
