import type { Figures } from '../contract.ts';

export const figuresOfTwoDays: Figures = {
  readAt: '2026-04-10T12:00:00.000Z',
  days: ['2026-04-09', '2026-04-10'],
  members: [{ tier: 'Pro', period: 'monthly', active: [4, 5] }],
  revenue: [{ currency: 'usd', amounts: [3_996, 4_995] }],
  joined: [0, 2],
  returned: [1, 0],
  churned: [0, 1],
  failed: [0, 3],
  recovered: [0, 1],
  wronglySigned: [9, 7],
  lastWebhookAt: '2026-04-10T11:58:30.000Z',
  sweep: { lastAt: null, isUnderWay: false, lastError: null },
};
