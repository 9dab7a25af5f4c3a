import { partsOf, type Reference, type SentencePart, type Words } from './sentence-parts.ts';

const account = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const ofStripe = '(?:sub|cus|in|ch|pi|re|dp|du|evt|cs)_[A-Za-z0-9_]{1,255}';
const ids = new RegExp(`\\b(?:${account}|${ofStripe})\\b`, 'gu');
const strategy = /(?<=\b(?:Strategy|favourite) )[A-Za-z0-9]+(?= )/gu;

const shownEnd = 4;
const maxShown = 16;

/** @example shortId('in_1QzFbk2eZvKYlo2C') // 'in_…lo2C' */
export const shortId = (id: string): string => {
  const prefix = /^[a-z]+_/u.exec(id)?.[0] ?? '';
  return id.length <= maxShown ? id : `${prefix}…${id.slice(-shownEnd)}`;
};

const isAccount = new RegExp(`^${account}$`, 'u');

const referenceTo = (id: string, type: string): Reference => {
  if (isAccount.test(id)) return { kind: 'account', id };
  return { kind: type.startsWith('Favourite') ? 'strategy' : 'stripe', id };
};

/** What the timeline says of an event, with each id as a name of what it belongs to. */
export const linkIds = (text: string, type: string): readonly SentencePart[] => {
  const words: Words[] = [];
  let end = 0;
  for (const { 0: id, index } of text.matchAll(type.startsWith('Favourite') ? strategy : ids)) {
    words.push(text.slice(end, index), {
      text: shortId(id),
      isMain: false,
      reference: referenceTo(id, type),
    });
    end = index + id.length;
  }
  return partsOf([...words, text.slice(end)]).filter((part) => part.text !== '');
};
