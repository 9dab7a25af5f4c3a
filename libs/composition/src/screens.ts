import { auditScreens } from '@tapedeck/audit/contract';
import { chartCaptureScreens } from '@tapedeck/chart-capture/contract';
import { explorerScreens } from '@tapedeck/explorer/contract';
import { favouriteScreens } from '@tapedeck/favourites/contract';
import { figuresScreens } from '@tapedeck/figures/contract';
import { identityScreens } from '@tapedeck/identity/contract';
import { operationsScreens } from '@tapedeck/operations/contract';
import { paymentScreens } from '@tapedeck/payments/contract';
import { replayScreens } from '@tapedeck/replay/contract';
import { sqlConsoleScreens } from '@tapedeck/sql-console/contract';
import { strategyScreens } from '@tapedeck/strategies/contract';

const legalScreens = ['/pages/extension-privacy-policy', '/pages/terms-of-service'] as const;

/** What is in the sitemap; everything else needs a session or is about one person. */
export const publicScreens: readonly string[] = ['/', ...legalScreens];

/** The addresses at which the web client has a screen; its own ones belong to no module. */
export const screens: readonly string[] = [
  '/',
  ...legalScreens,
  ...identityScreens,
  ...paymentScreens,
  ...explorerScreens,
  ...strategyScreens,
  ...favouriteScreens,
  ...chartCaptureScreens,
  ...auditScreens,
  ...replayScreens,
  ...operationsScreens,
  ...figuresScreens,
  ...sqlConsoleScreens,
];
