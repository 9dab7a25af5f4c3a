import { generateKeyPair, randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DomainError } from '@tapedeck/kernel';
import * as z from 'zod';

const StoredKeys = z.object({
  jwks: z.object({
    keys: z
      .array(z.looseObject({ kty: z.literal('RSA'), kid: z.string(), d: z.string(), n: z.string() }))
      .min(1),
  }),
  cookieKeys: z.array(z.string().min(32)).min(1),
});

/** The keys with which the provider signs tokens and cookies. */
export type SigningKeys = z.infer<typeof StoredKeys>;

const newKeys = async (): Promise<SigningKeys> => {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2_048 });
  const jwk = privateKey.export({ format: 'jwk' });
  return StoredKeys.parse({
    jwks: { keys: [{ ...jwk, use: 'sig', alg: 'RS256', kid: randomBytes(8).toString('hex') }] },
    cookieKeys: [randomBytes(32).toString('base64url')],
  });
};

const parsed = (text: string, file: string): SigningKeys => {
  try {
    return StoredKeys.parse(JSON.parse(text));
  } catch {
    throw new DomainError(
      'invalid',
      'SANDBOX_KEYS_DAMAGED',
      `The sandbox's keys in ${file} are damaged: delete the file, and the next start creates new keys.`,
    );
  }
};

/** The keys of this data folder, created at the first start, so that tokens remain valid after a restart. */
export const signingKeys = async (dataFolder: string): Promise<SigningKeys> => {
  const file = join(dataFolder, 'sandbox-keys.json');
  const known = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (known !== undefined) {
    await chmod(file, 0o600);
    return parsed(known, file);
  }
  const keys = await newKeys();
  await mkdir(dataFolder, { recursive: true });
  // Renaming is atomic: a start that is killed here leaves no incomplete file.
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, JSON.stringify(keys), { mode: 0o600 });
  await rename(temporary, file);
  return keys;
};
