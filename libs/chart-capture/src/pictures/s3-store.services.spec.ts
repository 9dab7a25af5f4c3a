import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { describe, expect, it } from '@jest/globals';
import { pictureStoreContract } from '../testing/picture-store.contract.ts';
import { createS3Store, type S3Options } from './s3-store.ts';

const given = (name: string): string => {
  const value = process.env[name];
  if (value) return value;
  throw new Error(`${name} is not set: run the tests through npm run test:services.`);
};

const optionsOf = (bucket: string): S3Options => ({
  bucket,
  region: 'us-east-1',
  endpoint: given('TEST_S3_URL'),
  accessKeyId: given('TEST_S3_ACCESS_KEY_ID'),
  secretAccessKey: given('TEST_S3_SECRET_ACCESS_KEY'),
});

const createBucket = async (bucket: string): Promise<void> => {
  const { region, endpoint = '', accessKeyId = '', secretAccessKey = '' } = optionsOf(bucket);
  const credentials = { accessKeyId, secretAccessKey };
  const client = new S3Client({ region, endpoint, forcePathStyle: true, credentials });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
};

pictureStoreContract('a bucket of S3', async () => {
  await createBucket('pictures');
  return { store: createS3Store(optionsOf('pictures')), close: () => Promise.resolve() };
});

describe('a bucket of S3', () => {
  const name = { urlId: 'AAAAAAA1', version: 'a'.repeat(32) };
  const pictures = { png: Buffer.from('png'), webp: Buffer.from('webp'), avif: Buffer.from('avif') };

  it('that is missing is an error, not a missing picture', async () => {
    await expect(createS3Store(optionsOf('missing')).save(name, pictures)).rejects.toMatchObject({
      name: 'NoSuchBucket',
    });
    await expect(createS3Store(optionsOf('missing')).read(name, 'png')).rejects.toMatchObject({
      name: 'NoSuchBucket',
    });
  });

  it('with a wrong key is an error', async () => {
    const store = createS3Store({ ...optionsOf('pictures'), secretAccessKey: 'another key' });
    await expect(store.save(name, pictures)).rejects.toMatchObject({ name: 'SignatureDoesNotMatch' });
  });

  it('on a server that does not answer is an error in time', async () => {
    const store = createS3Store({ ...optionsOf('pictures'), endpoint: 'http://127.0.0.1:9' });
    await expect(store.read(name, 'png')).rejects.toThrow(/ECONNREFUSED/);
  });
});
