import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { foldSymbol, foldText, wordsOf } from './text.ts';

describe('foldText', () => {
  it.each([
    ['Média Móvel', 'media movel'],
    ['ＲＳＩ ①', 'rsi 1'],
    ['Straße', 'strasse'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['İstanbul', 'istanbul'],
    ['ﬁbonacci', 'fibonacci'],
  ])('folds %s to %s', (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });

  it('changes nothing when it is applied again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => foldText(foldText(text)) === foldText(text)),
    );
  });

  it('splits ASCII text in the same way as any other text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
        // One character outside ASCII makes the same text take the general path.
        expect([...wordsOf(text), 'é']).toEqual([...wordsOf(`${text} é`).slice(0, -1), 'é']);
      }),
    );
  });
});

describe('wordsOf', () => {
  it.each([
    ['PMax-SuperTrend v5', ['pmax', 'supertrend', 'v5']],
    ["Don't_stop! 3.5%", ['don', 't', 'stop', '3', '5']],
    ['均线 cross', ['均', '线', 'cross']],
    ['RSI均线', ['rsi', '均', '线']],
    ['🚀 — …', []],
    ['', []],
  ])('splits %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });
});

describe('foldSymbol', () => {
  it.each([
    ['BINANCE:BTC_USDT', 'btcusdt'],
    ['btc/usd', 'btcusd'],
    ['BTC-PERP', 'btcperp'],
    ['NASDAQ:', ''],
    ['ES1!', 'es1!'],
    [' eth usd ', 'ethusd'],
  ])('folds %j to %j', (symbol, folded) => {
    expect(foldSymbol(symbol)).toBe(folded);
  });
});
