import type { S3Client } from '@aws-sdk/client-s3';
import { pictureFormats } from '../capturer/wire.ts';
import { keyOf, type PictureStore } from './picture-store.ts';

export type S3Options = Readonly<{
  bucket: string;
  region: string;
  endpoint?: string | undefined;
  accessKeyId?: string | undefined;
  secretAccessKey?: string | undefined;
}>;

const prefix = 'screenshots';
const connectMs = 2_000;
const requestMs = 8_000;
const maxAttempts = 3;

type Sdk = typeof import('@aws-sdk/client-s3');
type Loaded = Readonly<{ sdk: Sdk; client: S3Client }>;

const credentialsOf = ({ accessKeyId, secretAccessKey }: S3Options): object =>
  accessKeyId !== undefined && secretAccessKey !== undefined
    ? { credentials: { accessKeyId, secretAccessKey } }
    : {};

/** Loaded with the first picture: without a bucket it costs nothing. */
const load = async (options: S3Options): Promise<Loaded> => {
  const sdk = await import('@aws-sdk/client-s3');
  const { region, endpoint } = options;
  const client = new sdk.S3Client({
    region,
    maxAttempts,
    requestHandler: { connectionTimeout: connectMs, requestTimeout: requestMs, throwOnRequestTimeout: true },
    // Other stores than Amazon's know no other way.
    ...(endpoint === undefined
      ? {}
      : { endpoint, forcePathStyle: true, requestChecksumCalculation: 'WHEN_REQUIRED' as const }),
    ...credentialsOf(options),
  });
  return { sdk, client };
};

const isMissing = (error: unknown): boolean => {
  const { name } = error as { name?: string };
  return name === 'NoSuchKey' || name === 'NotFound';
};

/** Pictures as objects of a bucket, below `screenshots/`. */
export const createS3Store = (options: S3Options): PictureStore => {
  const Bucket = options.bucket;
  let loading: Promise<Loaded> | undefined;
  const loaded = (): Promise<Loaded> => (loading ??= load(options));
  const objectKey = (...name: Parameters<typeof keyOf>): string => `${prefix}/${keyOf(...name)}`;
  return {
    save: async (name, pictures) => {
      const { sdk, client } = await loaded();
      // PNG is the last one: it shows that the others are there.
      for (const format of pictureFormats.toReversed())
        await client.send(
          new sdk.PutObjectCommand({
            Bucket,
            Key: objectKey(name, format),
            Body: pictures[format],
            ContentType: `image/${format}`,
          }),
        );
    },
    read: async (name, format) => {
      const { sdk, client } = await loaded();
      try {
        const { Body } = await client.send(
          new sdk.GetObjectCommand({ Bucket, Key: objectKey(name, format) }),
        );
        return Body ? Buffer.from(await Body.transformToByteArray()) : undefined;
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    has: async (name) => {
      const { sdk, client } = await loaded();
      try {
        await client.send(new sdk.HeadObjectCommand({ Bucket, Key: objectKey(name, 'png') }));
        return true;
      } catch (error) {
        if (isMissing(error)) return false;
        throw error;
      }
    },
    remove: async (name) => {
      const { sdk, client } = await loaded();
      for (const format of pictureFormats)
        await client.send(new sdk.DeleteObjectCommand({ Bucket, Key: objectKey(name, format) }));
    },
  };
};
