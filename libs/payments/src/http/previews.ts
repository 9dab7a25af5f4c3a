import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { DomainError } from '@tapedeck/kernel';
import * as z from 'zod';
import { billingPeriods, isSamePlan, paidTiers } from '@tapedeck/plans/contract';

const Preview = z.object({
  subscriptionId: z.string(),
  tier: z.enum(paidTiers),
  period: z.enum(billingPeriods),
  prorationDate: z.string(),
  dueNow: z.number().int(),
  expiresAt: z.string(),
});
/** What was shown to a member before a change. */
export type Preview = z.infer<typeof Preview>;

/** For Nest: the `Previews`. */
export const PREVIEWS = Symbol('Previews');

/** Previews as signed texts, so that exactly what was shown is charged and nothing has to be stored. */
export type Previews = Readonly<{
  sign: (preview: Preview) => string;
  /** @throws DomainError PREVIEW_EXPIRED, also for a text that was not signed here */
  open: (text: string, now: string) => Preview;
}>;

const expired = (): DomainError =>
  new DomainError(
    'conflict',
    'PREVIEW_EXPIRED',
    'The price was shown too long ago and may have changed: look at it again, then confirm.',
  );

/**
 * What was shown is the change that is made now: the same plan of the same subscription. The amount is compared by Stripe.
 * @throws DomainError PREVIEW_OF_ANOTHER_CHANGE
 */
export const assertShown = (shown: Preview, current: Preview): void => {
  if (shown.subscriptionId === current.subscriptionId && isSamePlan(shown, current)) return;
  throw new DomainError(
    'conflict',
    'PREVIEW_OF_ANOTHER_CHANGE',
    'What was shown is another change than this one: look at it again, then confirm.',
  );
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
};

export const createPreviews = (secret: string): Previews => {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'tapedeck previews of changes', 32));
  const macOf = (content: string): Buffer => createHmac('sha256', key).update(content).digest();
  return {
    sign: (preview) => {
      const content = Buffer.from(JSON.stringify(preview)).toString('base64url');
      return `${content}.${macOf(content).toString('base64url')}`;
    },
    open: (text, now) => {
      const [content = '', mac = ''] = text.split('.');
      const [given, own] = [Buffer.from(mac, 'base64url'), macOf(content)];
      if (given.length !== own.length || !timingSafeEqual(given, own)) throw expired();
      const preview = Preview.safeParse(jsonOf(content));
      if (!preview.success || preview.data.expiresAt <= now) throw expired();
      return preview.data;
    },
  };
};
