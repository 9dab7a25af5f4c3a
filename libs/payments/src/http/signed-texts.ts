import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { DomainError } from '@tapedeck/kernel';
import type * as z from 'zod';

/** Values as signed texts, which a client sends back: nothing has to be stored, and nothing can be changed. */
export type SignedTexts<Value> = Readonly<{
  sign: (value: Value) => string;
  /** @throws DomainError that of the options, for a text that has expired or was not signed here */
  open: (text: string, now: string) => Value;
}>;

export type SignedTextOptions<Value> = Readonly<{
  secret: string;
  /** What the texts are for: those of another purpose are not accepted. */
  purpose: string;
  schema: z.ZodType<Value>;
  refusal: () => DomainError;
}>;

/** How long what staff was shown can be confirmed. */
export const shownForMs = 15 * 60_000;

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
};

export const signedTexts = <Value extends Readonly<{ expiresAt: string }>>({
  secret,
  purpose,
  schema,
  refusal,
}: SignedTextOptions<Value>): SignedTexts<Value> => {
  const key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
  const macOf = (content: string): Buffer => createHmac('sha256', key).update(content).digest();
  return {
    sign: (value) => {
      const content = Buffer.from(JSON.stringify(value)).toString('base64url');
      return `${content}.${macOf(content).toString('base64url')}`;
    },
    open: (text, now) => {
      const [content = '', mac = ''] = text.split('.');
      const [given, own] = [Buffer.from(mac, 'base64url'), macOf(content)];
      if (given.length !== own.length || !timingSafeEqual(given, own)) throw refusal();
      const value = schema.safeParse(jsonOf(content));
      if (!value.success || value.data.expiresAt <= now) throw refusal();
      return value.data;
    },
  };
};
