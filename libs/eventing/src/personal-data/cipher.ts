import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const ivLength = 12;
const tagLength = 16;

/** AES-256-GCM: initialisation vector, tag and ciphertext in one piece; `context` must be the same to open it. */
export const seal = (secret: Uint8Array, plain: Uint8Array, context: string): Buffer => {
  const iv = randomBytes(ivLength);
  const cipher = createCipheriv(algorithm, secret, iv).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
};

/** @throws when the secret, the context or the content is not what was sealed. */
export const open = (secret: Uint8Array, sealed: Uint8Array, context: string): Buffer => {
  const iv = sealed.subarray(0, ivLength);
  const tag = sealed.subarray(ivLength, ivLength + tagLength);
  const decipher = createDecipheriv(algorithm, secret, iv, { authTagLength: tagLength });
  decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
  return Buffer.concat([decipher.update(sealed.subarray(ivLength + tagLength)), decipher.final()]);
};
