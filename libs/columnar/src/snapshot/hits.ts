import { facetRecord } from '@tapedeck/search-engine/contract';
import type { SearchHit } from '@tapedeck/search-engine/port';
import { textAt, type ByteStrings } from './byte-strings.ts';
import { dayText, rowFlag, type CodedTexts, type Columns } from './columns.ts';
import { floatAt, shortAt, wordAt } from './typed-arrays.ts';

const numberAt = (column: Float64Array, slot: number): number | null => {
  const value = floatAt(column, slot);
  return Number.isNaN(value) ? null : value;
};

const codedText = ({ codes, texts }: CodedTexts, slot: number): string | null => {
  const code = wordAt(codes, slot);
  return code === 0 ? null : textAt(texts, code);
};

const labelsAt = (texts: ByteStrings, code: number): readonly string[] =>
  code === 0 ? [] : (JSON.parse(textAt(texts, code)) as readonly string[]);

/** The labels of a category list, by the list's code. */
export const readLabels = (columns: Columns, code: number): readonly string[] =>
  labelsAt(columns.categories.texts, code);

export const readHit = (columns: Columns, slot: number): SearchHit => {
  const { numbers, categories } = columns;
  const flags = shortAt(columns.flags, slot);
  const pineVersion = shortAt(columns.pineVersions, slot);
  return {
    urlId: textAt(columns.ids, slot),
    title: textAt(columns.titles, slot),
    author: codedText(columns.authors, slot),
    categories: labelsAt(categories.texts, wordAt(categories.codes, slot)),
    symbol: codedText(columns.symbols, slot),
    pineVersion: pineVersion === 0 ? null : pineVersion - 1,
    publicationDate: dayText(floatAt(numbers.publicationDate, slot)),
    backtestingStart: dayText(floatAt(numbers.backtestingStart, slot)),
    backtestingEnd: dayText(floatAt(numbers.backtestingEnd, slot)),
    figures: facetRecord((field) => numberAt(numbers[field], slot)),
    enhanced: (flags & rowFlag.enhanced) !== 0,
    demo: (flags & rowFlag.demo) !== 0,
  };
};
