import { describe, expect, it } from '@jest/globals';
import { readCsv } from '@tapedeck/kernel/testing';
import { facetRecord } from '@tapedeck/search-engine/contract';
import type { SearchHit } from '@tapedeck/search-engine/engine';
import { strategiesCsv } from './strategies-csv.ts';

const unknown: SearchHit = {
  urlId: 'AAAAAAA1',
  title: 'Plain',
  author: null,
  categories: [],
  symbol: null,
  pineVersion: null,
  publicationDate: null,
  backtestingStart: null,
  backtestingEnd: null,
  figures: facetRecord(() => null),
  enhanced: false,
  demo: false,
};

async function* pieces(...all: readonly (readonly SearchHit[])[]): AsyncGenerator<readonly SearchHit[]> {
  yield* all;
}

const textOf = async (...hits: readonly SearchHit[]): Promise<string> => {
  let text = '';
  for await (const part of strategiesCsv(pieces(hits), 'https://tapedeck.example')) text += part;
  return text;
};

const titleCell = async (title: string): Promise<string | undefined> =>
  readCsv(await textOf({ ...unknown, title }))[1]?.[0];

describe('strategiesCsv', () => {
  it('begins with a byte order mark and ends its lines with CRLF', async () => {
    const text = await textOf(unknown);
    expect(text.startsWith('\ufeffTitle,Author,Link,Symbol,')).toBe(true);
    expect(text.endsWith('\r\n')).toBe(true);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  });

  it('writes the header even without rows', async () => {
    expect(readCsv(await textOf())).toHaveLength(1);
  });

  it('writes numbers as numbers, infinity as a word and unknown figures as empty cells', async () => {
    const figures = {
      ...unknown.figures,
      totalPandlPercent: -12.5,
      profitFactor: Infinity,
      sharpeRatio: 0,
      likes: 1e21,
      totalTrades: 0,
    };
    const [header, row] = readCsv(await textOf({ ...unknown, figures, pineVersion: 5 }));
    const cells = Object.fromEntries((header ?? []).map((name, column) => [name, row?.[column]]));
    expect(cells).toEqual({
      ...Object.fromEntries((header ?? []).map((name) => [name, ''])),
      Title: 'Plain',
      Link: 'https://tapedeck.example/strategy/AAAAAAA1',
      'Pine version': '5',
      'Total P&L %': '-12.5',
      'Profit factor': 'Infinity',
      'Sharpe ratio': '0',
      Likes: '1e+21',
      'Total trades': '0',
    });
  });

  it.each([
    ['=HYPERLINK("http://evil.example";"x")', `'=HYPERLINK("http://evil.example";"x")`],
    ['+1', "'+1"],
    ['-1+1', "'-1+1"],
    ['@x', "'@x"],
    ['＝1', "'＝1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠x', "'＠x"],
    ['\t=1', "'=1"],
    ['\r\n=1', "'=1"],
    ['\u0000=1', "'=1"],
    ['\u2028=1', "'=1"],
    ['RSI\n=1', 'RSI =1'],
    ['RSI;=1', "RSI; '=1"],
    ['RSI; =1', "RSI; ' =1"],
    ['RSI;"=1"', `RSI; '"=1"`],
    ['say "no", twice', 'say "no", twice'],
    ['a − b = c', 'a − b = c'],
    ['日本語 🎈', '日本語 🎈'],
  ])('writes the title %j as %j', async (title, cell) => {
    expect(await titleCell(title)).toBe(cell);
  });

  it('joins indicators in one cell and yields to the event loop between rows', async () => {
    const text = await textOf({ ...unknown, categories: ['MACD', 'RSI, slow'] });
    expect(readCsv(text)[1]).toContain('MACD, RSI, slow');
    let turns = 0;
    const count = (): void => {
      turns++;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    await textOf(...Array.from({ length: 10_000 }, () => unknown));
    clearImmediate(next);
    expect(turns).toBeGreaterThanOrEqual(100);
  });

  it('stops its source when its reader stops', async () => {
    let ended = false;
    async function* source(): AsyncGenerator<readonly SearchHit[]> {
      try {
        for (;;) yield [unknown];
      } finally {
        ended = true;
      }
    }
    for await (const part of strategiesCsv(source(), '')) if (part.includes('Plain')) break;
    expect(ended).toBe(true);
  });
});
