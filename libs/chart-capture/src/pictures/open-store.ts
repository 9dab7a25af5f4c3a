import type { ChartCaptureConfig } from '../settings.ts';
import { createFileStore } from './file-store.ts';
import type { PictureStore } from './picture-store.ts';
import { createS3Store } from './s3-store.ts';

/** Files, or with a bucket its objects. */
export const openPictureStore = (config: ChartCaptureConfig): PictureStore => {
  const { S3_BUCKET: bucket } = config;
  if (bucket === undefined) return createFileStore(config.PICTURE_FOLDER);
  return createS3Store({
    bucket,
    region: config.S3_REGION,
    endpoint: config.S3_ENDPOINT,
    accessKeyId: config.S3_ACCESS_KEY_ID,
    secretAccessKey: config.S3_SECRET_ACCESS_KEY,
  });
};
