import { Module, type Provider } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { messageOf } from '@tapedeck/kernel';
import { badSetting } from '@tapedeck/platform/config';
import type { Logger } from '@tapedeck/platform/log';
import { CONFIG, LOGGER } from '@tapedeck/platform/tokens';
import { createCapturer, noCapturer, type Capturer } from './capturer/capturer.ts';
import { CAPTURER } from './capturer/capturer-token.ts';
import { CaptureChartHandler } from './commands/capture-chart.ts';
import { ChartCaptures } from './commands/chart-captures.ts';
import { CapturesController } from './controllers/captures.controller.ts';
import { PicturesController } from './controllers/pictures.controller.ts';
import { openPictureStore } from './pictures/open-store.ts';
import { PICTURE_STORE } from './pictures/picture-store-token.ts';
import { FindPictureHandler } from './queries/find-picture.ts';
import { FindSampleHandler } from './queries/find-sample.ts';
import { KnownCharts } from './queries/known-charts.ts';
import type { ChartCaptureConfig } from './settings.ts';

/** @throws DomainError BAD_CONFIGURATION */
const capturerOf = (config: ChartCaptureConfig, logger: Logger): Capturer => {
  const { CHART_ORIGIN, CAPTURE_URL: url, CAPTURE_SECRET: secret } = config;
  if (url === '' || CHART_ORIGIN === '') return noCapturer;
  if (secret === undefined) throw badSetting('CAPTURE_SECRET', 'is missing, but CAPTURE_URL is set');
  const onError = (error: unknown): void =>
    logger.warn({ err: messageOf(error) }, 'the capture process does not answer');
  return createCapturer({ url, secret, onError });
};

const ports: readonly Provider[] = [
  { provide: PICTURE_STORE, useFactory: openPictureStore, inject: [CONFIG] },
  { provide: CAPTURER, useFactory: capturerOf, inject: [CONFIG, LOGGER] },
];

@Module({
  imports: [CqrsModule],
  controllers: [CapturesController, PicturesController],
  providers: [
    ...ports,
    KnownCharts,
    ChartCaptures,
    CaptureChartHandler,
    FindPictureHandler,
    FindSampleHandler,
  ],
})
export class ChartCaptureModule {}
