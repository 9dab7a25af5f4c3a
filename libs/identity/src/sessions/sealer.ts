import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const ivLength = 12;
const tagLength = 16;

/** Encrypts text and detects any change to it (authenticated encryption). */
export type Sealer = Readonly<{
  seal: (text: string) => string;
  /** Undefined for text that this secret and purpose did not seal. */
  open: (sealed: string) => string | undefined;
}>;

/** A sealer whose key is derived from the secret and the purpose: each purpose opens only its own texts. */
export const createSealer = (secret: string, purpose: string): Sealer => {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `tapedeck ${purpose}`, 32));
  return {
    seal: (text) => {
      const iv = randomBytes(ivLength);
      const cipher = createCipheriv(algorithm, key, iv);
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    open: (sealed) => {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < ivLength + tagLength) return undefined;
      try {
        const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivLength), {
          authTagLength: tagLength,
        });
        decipher.setAuthTag(bytes.subarray(ivLength, ivLength + tagLength));
        const opened = [decipher.update(bytes.subarray(ivLength + tagLength)), decipher.final()];
        return Buffer.concat(opened).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
};

/** Only with the cookie of its session can an id token be opened: not with the table and the secret. */
export const idTokenSealer = (secret: string, sessionId: string): Sealer =>
  createSealer(secret, `id token of ${sessionId}`);
