import { describe, expect, it } from '@jest/globals';
import { indexProblems, wordsIn, type IndexContent } from './verify-index.ts';

const row = (id: string, version: number, likes: number): IndexContent['documents'][number] => ({
  id,
  version,
  source: { kind: 'row', shown: { urlId: id, likes } },
  fields: { likes: [likes] },
});

const state = (reached: string, edges: number): IndexContent['documents'][number] => ({
  id: '#catalogue',
  version: Number(reached),
  source: { kind: 'catalogue', shown: { position: '7', reached, edges } },
  fields: { kind: ['catalogue'] },
});

const content: IndexContent = {
  index: 'fresh-1',
  documents: [state('9', 1), row('a', 2, 10), row('b', 1, 5)],
  terms: new Map([['words "macd"', ['a', 'b']]]),
};

const problemsOf = (kept: Partial<IndexContent>): readonly string[] =>
  indexProblems({ ...content, ...kept }, content);

describe('indexProblems', () => {
  it('accepts an index with the same documents and terms, wherever it has read the tape to', () => {
    expect(problemsOf({ documents: [row('b', 1, 5), row('a', 2, 10), state('8', 1)] })).toEqual([]);
  });

  it('reports a document that is missing', () => {
    expect(problemsOf({ documents: [state('9', 1), row('a', 2, 10)] })).toEqual([
      expect.stringMatching(/^the index has nothing for b, but a fresh one has /),
    ]);
  });

  it('reports a document that is too many', () => {
    expect(problemsOf({ documents: [...content.documents, row('c', 1, 1)] })).toEqual([
      expect.stringMatching(/ for c, but a fresh one has nothing$/),
    ]);
  });

  it('reports an older version of a document', () => {
    expect(problemsOf({ documents: [state('9', 1), row('a', 1, 10), row('b', 1, 5)] })).toHaveLength(1);
  });

  it('reports a value that can only be searched', () => {
    const documents = [state('9', 1), { ...row('a', 2, 10), fields: { likes: [11] } }, row('b', 1, 5)];
    expect(problemsOf({ documents })).toHaveLength(1);
  });

  it('reports another state of the catalogue', () => {
    expect(problemsOf({ documents: [state('9', 2), row('a', 2, 10), row('b', 1, 5)] })).toHaveLength(1);
  });

  it('reports a term that finds other documents', () => {
    expect(problemsOf({ terms: new Map([['words "macd"', ['a']]]) })).toEqual([
      'the index has a for words "macd", but a fresh one has a b',
    ]);
  });

  it('reports a term of an older text', () => {
    expect(problemsOf({ terms: new Map([...content.terms, ['words "rsi"', ['b']]]) })).toEqual([
      'the index has b for words "rsi", but a fresh one has nothing',
    ]);
  });

  it('accepts no comparison with nothing', () => {
    const empty: IndexContent = { index: 'fresh-1', documents: [], terms: new Map() };
    expect(indexProblems(empty, empty)).toEqual(['a fresh index is empty', 'a fresh index has no terms']);
  });
});

describe('wordsIn', () => {
  it('finds words, their beginnings and whole symbols at any depth', () => {
    const words = wordsIn([{ symbol: 'BINANCE:BTC_USDT', texts: ['Fast MACD'] }, 7, null]);
    expect(words).toEqual(expect.arrayContaining(['fast', 'macd', 'm', 'ma', 'mac', 'btcusdt']));
  });
});
