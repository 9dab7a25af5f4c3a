import { shortId } from '../domain/linked-text.ts';
import type { SentencePart } from '../domain/sentence-parts.ts';
import type { TextPart } from '../contract.ts';
import type { StripePages } from '@tapedeck/stripe/pages';

/** The ids of accounts that texts name. */
export const accountsIn = (texts: readonly (readonly SentencePart[])[]): readonly string[] =>
  texts.flat().flatMap(({ reference }) => (reference?.kind === 'account' ? [reference.id] : []));

/** A text as it is sent: accounts have their e-mail addresses, objects of Stripe the address of their page. */
export const textParts = (
  parts: readonly SentencePart[],
  emails: ReadonlyMap<string, string>,
  { pageOf }: Readonly<{ pageOf: StripePages }>,
): TextPart[] =>
  parts.map(({ text, isMain, reference }) => {
    if (!reference) return { text, isMain, link: null };
    const { kind, id } = reference;
    return {
      text: kind === 'account' ? (emails.get(id) ?? shortId(id)) : text,
      isMain,
      link: { kind, id, url: kind === 'stripe' ? pageOf(id) : null },
    };
  });
