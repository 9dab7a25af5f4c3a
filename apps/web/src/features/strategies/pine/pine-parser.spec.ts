import { describe, expect, it } from '@jest/globals';
import { StringStream } from '@codemirror/language';
import { pineParser } from './pine-parser.ts';
import { pineVersionOf } from './pine-version.ts';

/** `text:token` for all that has one. */
const tokensOf = (version: number | null, code: string): readonly string[] => {
  const parser = pineParser(version);
  const state = parser.startState?.(2) ?? { isAfterAnnotation: false };
  return code.split('\n').flatMap((line) => {
    const stream = new StringStream(line, 4, 2);
    const tokens: string[] = [];
    while (!stream.eol()) {
      const token = parser.token(stream, state);
      if (token !== null) tokens.push(`${stream.current()}:${token}`);
      if (stream.pos <= stream.start) throw new Error(`The parser stands still in ${line}.`);
      stream.start = stream.pos;
    }
    return tokens;
  });
};

const builtIn = 'variableName.standard.function';
/** Without plain names and operators, so that samples stay readable. */
const marked = (version: number | null, code: string): readonly string[] =>
  tokensOf(version, code).filter((token) => !/:(variableName|variableName\.standard|operator)$/.test(token));

describe('the parser of Pine Script', () => {
  it('reads a study of version 1', () => {
    expect(marked(1, 'study("S")\nm = sma(close, 9) // mean\nplot(m, color=red)\nif = 2')).toEqual([
      `study:${builtIn}`,
      '"S":string',
      `sma:${builtIn}`,
      '9:number',
      '// mean:comment',
      `plot:${builtIn}`,
      'red:atom',
      '2:number',
    ]);
  });

  it('reads a strategy of version 2', () => {
    const code =
      'strategy("S", currency=currency.EUR)\nif crossover(a, b)\n    strategy.entry("L", strategy.long)';
    expect(marked(2, code)).toEqual([
      `strategy:${builtIn}`,
      '"S":string',
      `currency.EUR:${builtIn}`,
      'if:keyword',
      `crossover:${builtIn}`,
      `strategy.entry:${builtIn}`,
      '"L":string',
      `strategy.long:${builtIn}`,
    ]);
  });

  it('reads input types, colours and plot styles of version 3 as constants', () => {
    expect(marked(3, 'x = input(9, type=integer)\nplot(x, style=stepline, color=teal)\ntype = 1')).toEqual([
      `input:${builtIn}`,
      '9:number',
      'integer:atom',
      `plot:${builtIn}`,
      'stepline:atom',
      'teal:atom',
      '1:number',
    ]);
  });

  it('reads namespaces and declared types of version 4', () => {
    expect(
      marked(4, 'var float x = na\nx := security(syminfo.tickerid, "D", ema(close, 9))\nta.ema(x, 9)'),
    ).toEqual([
      'var:keyword',
      'float:typeName',
      'na:atom',
      `security:${builtIn}`,
      `syminfo.tickerid:${builtIn}`,
      '"D":string',
      `ema:${builtIn}`,
      '9:number',
      '9:number',
    ]);
  });

  it('reads version 5, in which averages have a namespace and names without one are those of the script', () => {
    const code =
      'switch mode\n    "EMA" => ta.ema(close, 9)\n    => sma(close, 9)\nwhile true\n    color.new(#1364B7, 30)';
    expect(marked(5, code)).toEqual([
      'switch:keyword',
      '"EMA":string',
      `ta.ema:${builtIn}`,
      '9:number',
      'sma:variableName.function',
      '9:number',
      'while:keyword',
      'true:atom',
      `color.new:${builtIn}`,
      '#1364B7:color',
      '30:number',
    ]);
  });

  it('reads types, methods, enumerations and generics of version 6', () => {
    const code =
      'enum Side\n    up\nmethod add(array<float> this, chart.point p) =>\n    this.push(p.price)\nbid';
    expect(tokensOf(6, code)).toEqual([
      'enum:keyword',
      'Side:variableName',
      'up:variableName',
      'method:keyword',
      'add:variableName.function',
      'array:typeName',
      '<:operator',
      'float:typeName',
      '>:operator',
      'this:variableName',
      `chart.point:${builtIn}`,
      'p:variableName',
      '=>:operator',
      'this.push:variableName',
      'p.price:variableName',
      'bid:variableName.standard',
    ]);
  });

  it('marks annotations, and what follows them as a comment', () => {
    expect(tokensOf(5, '//@version=5\n// @description Adds up\n//#region inputs\n// plain @text')).toEqual([
      '//@version=5:meta',
      '// @description:meta',
      'Adds up:comment',
      '//#region:meta',
      'inputs:comment',
      '// plain @text:comment',
    ]);
  });

  it('ends a string at its own quotation mark, or at the end of the line', () => {
    expect(marked(5, String.raw`"it's" + 'say \"x\" \' ' + "open` + '\nna')).toEqual([
      `"it's":string`,
      String.raw`'say \"x\" \' ':string`,
      '"open:string',
      'na:atom',
    ]);
    expect(marked(5, '"a\\\nna')).toEqual(['"a\\:string', 'na:atom']);
  });

  it('reads names of arguments as names, whatever else they mean', () => {
    expect(marked(5, 'plot(series=close, color=color.red)\ncolor c = na\ntype == x')).toEqual([
      `plot:${builtIn}`,
      `color.red:${builtIn}`,
      'color:typeName',
      'na:atom',
      'type:keyword',
    ]);
  });

  it('reads numbers and colours with and without transparency', () => {
    expect(marked(5, '1 2. .5 1e-9 6.02E23 #aabbcc #AABBCC80 x1 a[1]')).toEqual([
      '1:number',
      '2.:number',
      '.5:number',
      '1e-9:number',
      '6.02E23:number',
      '#aabbcc:color',
      '#AABBCC80:color',
      '1:number',
    ]);
  });

  it('reads a version that is not known as the nearest one', () => {
    expect(marked(7, 'ta.ema(x)')).toEqual([`ta.ema:${builtIn}`]);
    expect(marked(null, 'ema(x)')).toEqual([`ema:${builtIn}`]);
  });

  it('goes on for every text, in linear time', () => {
    for (const text of ['"'.repeat(50_000), '\\'.repeat(50_000), 'a.'.repeat(50_000), '€\u{1F600}𝒳#12']) {
      expect(tokensOf(5, text).join('').length).toBeGreaterThanOrEqual(0);
    }
  });
});

describe('the version of a script', () => {
  it.each([
    ['//@version=4\nstudy("S")', 5, 4],
    ['// licence\n  // @version = 6 \n', null, 6],
    ['x = "//@version=2"', 5, 5],
    ['// see //@version=3', 5, 5],
    ['study("S")', null, null],
  ])('of %j, stated as %j, is %j', (code, stated, version) => {
    expect(pineVersionOf(code, stated)).toBe(version);
  });
});
