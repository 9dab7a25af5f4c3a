import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { commandContext, handle } from '@tapedeck/eventing';
import { strategyDecider, type StrategyCommand } from '../domain/decide.ts';
import { strategyEvents } from '../events.ts';
import { strategyStream } from '../domain/strategy.ts';
import { importFixture, tester, type ImportFixture } from '../testing/import-fixture.ts';
import { recordColumns } from './strategies.ts';

let fixture: ImportFixture;

beforeAll(async () => {
  fixture = await importFixture();
  await fixture.project();
});
afterAll(async () => {
  await fixture.close();
});

const rowOf = async (
  urlId: string,
  relation = 'strategies',
): Promise<Record<string, unknown> | undefined> => {
  const { rows } = await fixture.databases.catalogue.query<Record<string, unknown>>(
    `select * from ${relation} where url_id = $1`,
    [urlId],
  );
  return rows[0];
};

const send = async (urlId: string, command: StrategyCommand): Promise<void> => {
  await handle(fixture.store, strategyDecider, strategyEvents)(
    strategyStream(urlId),
    command,
    commandContext({ actor: tester, clock: fixture.clock }),
  );
  await fixture.project();
};

const full = {
  url_id: 'Full0001',
  title: "Ünïcode & 'quotes' 🐊",
  publication_date: '2024-05-17',
  likes: 20_349,
  categories: ['MACD', 'ichimoku'],
  timeframes: ['1d'],
  total_pandl: '−1,667,115.74 USDT (−166.71%)',
  max_equity_drawdown: '1,898,012.87 USDT (154.20%)',
  profit_factor: '∞',
  sharpe_ratio_all: '−0.489',
  total_trades: '1,026',
  pine_script: 'a\nb\n',
  strategy_inputs: [{ name: 'Length', default: 14 }, 'odd'],
  precision: 9_007_199_254_740_991,
};

describe('the read model strategies', () => {
  it('has the columns of the specification', async () => {
    const { rows } = await fixture.databases.catalogue.query<{ column_name: string }>(
      "select column_name from information_schema.columns where table_name = 'strategies'",
    );
    const columns = rows.map(({ column_name }) => column_name);
    expect(columns).toEqual(
      expect.arrayContaining([...Object.keys(recordColumns), 'created_at', 'updated_at']),
    );
    expect(Object.keys(recordColumns)).toHaveLength(51);
  });

  it('has the texts of the source and the numbers in them', async () => {
    await fixture.importStrategies(full);
    const row = await rowOf('Full0001');
    expect(row).toMatchObject({
      title: full.title,
      likes: '20349',
      categories: full.categories,
      strategy_inputs: full.strategy_inputs,
      related_strategies: [],
      total_pandl: full.total_pandl,
      total_pandl_percent: -166.71,
      total_pandl_amount: -1_667_115.74,
      max_drawdown_percent: 154.2,
      profit_factor: '∞',
      profit_factor_numeric: Infinity,
      sharpe_ratio_numeric: -0.489,
      total_trades_numeric: '1026',
      code_lines: '2',
      precision: '9007199254740991',
      author: null,
    });
    expect(String(row?.['publication_date'])).toContain('May 17 2024');
  });

  it('has null for an unknown figure, which the view strategies_parsed_simple shows as 0', async () => {
    await fixture.importStrategies(full, { url_id: 'Bare0001', total_pandl: '12.5', profit_factor: 'N/A' });
    expect(await rowOf('Bare0001')).toMatchObject({
      total_pandl_percent: null,
      max_drawdown_percent: null,
      profit_factor_numeric: null,
      sharpe_ratio_numeric: null,
      total_trades_numeric: null,
    });
    const simple = {
      total_pandl_percent: 0,
      max_equity_drawdown_numeric: 0,
      profit_factor_numeric: 0,
      sharpe_ratio_numeric: 0,
    };
    expect(await rowOf('Bare0001', 'strategies_parsed_simple')).toMatchObject({
      total_pandl: '12.5',
      ...simple,
    });
    expect(await rowOf('Full0001', 'strategies_parsed_simple')).toMatchObject({
      total_pandl_percent: -166.71,
      max_equity_drawdown_numeric: 154.2,
      profit_factor_numeric: Infinity,
    });
  });

  it('distinguishes ids that differ only in case', async () => {
    await fixture.importStrategies({ url_id: 'CaseCASE', title: 'A' }, { url_id: 'casecase', title: 'B' });
    expect((await rowOf('CaseCASE'))?.['title']).toBe('A');
    expect((await rowOf('casecase'))?.['title']).toBe('B');
  });

  it('reflects revisions, corrections and withdrawals', async () => {
    await fixture.importStrategies({ url_id: 'Life0001', likes: 1, profit_factor: '2' });
    const created = (await rowOf('Life0001'))?.['created_at'];
    fixture.clock.advance(60_000);
    await fixture.importStrategies({ url_id: 'Life0001', likes: 2 });
    const revised = await rowOf('Life0001');
    expect(revised).toMatchObject({
      likes: '2',
      profit_factor: null,
      profit_factor_numeric: null,
      created_at: created,
    });
    expect(revised?.['updated_at']).toEqual(new Date(fixture.clock.now()));
    const changes = { title: 'Corrected', profit_factor: '3' };
    await send('Life0001', { type: 'AmendStrategy', urlId: 'Life0001', changes, reason: 'test' });
    expect(await rowOf('Life0001')).toMatchObject({
      title: 'Corrected',
      likes: '2',
      profit_factor_numeric: 3,
    });
    await send('Life0001', { type: 'WithdrawStrategy', urlId: 'Life0001', reason: 'test' });
    expect(await rowOf('Life0001')).toBeUndefined();
  });

  it('leaves out a strategy that an index refuses, and continues', async () => {
    const name = Array.from({ length: 9_000 }, (_, at) =>
      String.fromCodePoint(0x4e00 + ((at * 7919) % 20_000)),
    );
    await fixture.importStrategies(
      { url_id: 'Long0001', categories: [name.join('')] },
      { url_id: 'Long0002' },
    );
    expect(await rowOf('Long0001')).toBeUndefined();
    expect(await rowOf('Long0002')).toBeDefined();
  });

  it('has the same indicators whichever spelling was named last', async () => {
    const named = async (): Promise<readonly string[]> => {
      const { rows } = await fixture.databases.catalogue.query<{ label: string }>(
        `select label from strategy_indicators where id = 'andean-wave' order by id, label`,
      );
      return rows.map(({ label }) => label);
    };
    await fixture.importStrategies({ url_id: 'Spel0001', categories: ['andean wave'] });
    await fixture.importStrategies({ url_id: 'Spel0002', categories: ['Andean Wave'] });
    const once = await named();
    await fixture.importStrategies({ url_id: 'Spel0003', categories: ['andean wave'] });
    expect(await named()).toEqual(once);
    expect(once).toEqual(['Andean Wave', 'andean wave']);
  });

  it('collects the indicators that sources name', async () => {
    await fixture.importStrategies({ url_id: 'Indi0001', categories: ['macd', 'Gann Fan', 'ichimoku'] });
    const { rows } = await fixture.databases.catalogue.query<{ id: string; label: string }>(
      `select id, label from strategy_indicators where id <> 'andean-wave' order by id`,
    );
    expect(rows).toEqual([
      { id: 'gann-fan', label: 'Gann Fan' },
      { id: 'ichimoku', label: 'Ichimoku' },
      { id: 'macd', label: 'MACD' },
    ]);
  });
});
