import { get as httpGet, type IncomingMessage } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { accountId, derivedId, DomainError } from '@tapedeck/kernel';
import { asAccount } from '@tapedeck/platform/testing';
import { readCsv } from '@tapedeck/kernel/testing';
import { facetFields, facets, maxWindow } from '@tapedeck/search-engine/contract';
import { toSearchFilter, type SearchEngine, type SearchHit } from '@tapedeck/search-engine/engine';
import { importStrategies } from '@tapedeck/search-engine/testing';
import { createTestCatalogue, type TestCatalogue } from '@tapedeck/search-engine/testing';
import { explorerRoutes, ExportRight } from '../contract.ts';
import { startTestExplorer, type TestExplorer } from '../testing/test-explorer.ts';

const paid = accountId(derivedId('paid'));
const other = accountId(derivedId('other'));
const free = accountId(derivedId('free'));
const asPaid = { [asAccount]: paid };

const hostile = ['=HYPERLINK("http://evil.example")', '+1', '@x', 'say "no", twice', 'two\nlines', '-2+3'];

let catalogue: TestCatalogue;
let explorer: TestExplorer;

beforeAll(async () => {
  catalogue = await createTestCatalogue();
  await importStrategies(catalogue.store, [
    {
      url_id: 'Skyrex01',
      title: 'Alligator',
      author: 'Skyrex',
      categories: ['super trend', 'ichimoku cloud'],
      symbol: 'BINANCE:BTC_USDT',
      pine_version: 5,
      publication_date: '2024-05-17',
      backtesting_range_start: '2023-05-11',
      backtesting_range_end: '2024-05-16',
      total_pandl: '−12.35%',
      max_equity_drawdown: '154.20%',
      profit_factor: '∞',
      sharpe_ratio_all: '−0.489',
      total_trades: '1,026',
      likes: 20_349,
    },
    ...hostile.map((title, at) => ({ url_id: `Hostile${at}`, title, author: title, likes: at })),
  ]);
  await catalogue.project();
  explorer = await startTestExplorer(catalogue, {
    config: { publicOrigin: 'https://tapedeck.example' },
    features: { [paid]: ['explorer', 'csvExport'], [other]: ['csvExport'], [free]: ['explorer'] },
  });
});
afterAll(async () => {
  await explorer.close();
  await catalogue.close();
});
afterEach(() => {
  jest.restoreAllMocks();
});

const rowsOf = async (
  query: string,
  headers: Record<string, string> = asPaid,
): Promise<readonly (readonly string[])[]> => {
  const response = await explorer.get(`${explorerRoutes.export}?${query}`, headers);
  expect(response.status).toBe(200);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return readCsv(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
};

/** The answer with an export whose body is not read yet; the member's last one may just be ending. */
const openExport = async (): Promise<IncomingMessage> => {
  const url = `${explorer.url}${explorerRoutes.export}`;
  const opened: IncomingMessage[] = [];
  await eventually(async () => {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      httpGet(url, { headers: asPaid }, resolve).once('error', reject);
    });
    if (response.statusCode === 200) opened.push(response.pause());
    else response.resume();
    expect(response.statusCode).toBe(200);
  });
  const [response] = opened;
  if (!response) throw new Error('There is no answer.');
  return response;
};

const plainHit = async (): Promise<SearchHit> => {
  for await (const [hit] of explorer.engine.list(
    toSearchFilter({ search: 'alligator' }),
    { sort: 'likes', order: 'desc' },
    1,
  )) {
    if (hit) return hit;
  }
  throw new Error('The strategy does not exist.');
};

/** Makes the engine list the given pieces; returns the signals that it was called with. */
const listing = (
  pieces: (signal: AbortSignal | undefined) => AsyncIterable<readonly SearchHit[]>,
): AbortSignal[] => {
  const signals: AbortSignal[] = [];
  const list: SearchEngine['list'] = (_filter, _order, _limit, options) => {
    if (options?.signal) signals.push(options.signal);
    return pieces(options?.signal);
  };
  jest.spyOn(explorer.engine, 'list').mockImplementation(list);
  return signals;
};

describe('GET /api/strategies/export.csv', () => {
  it('names the file by date', async () => {
    const { headers } = await explorer.get(explorerRoutes.export, asPaid);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="tapedeck-strategies-\d{4}-\d\d-\d\d\.csv"$/,
    );
  });

  it('writes every column of a strategy', async () => {
    const [header, ...rows] = await rowsOf('search=alligator');
    expect(rows).toHaveLength(1);
    expect(Object.fromEntries((header ?? []).map((name, at) => [name, rows[0]?.[at]]))).toEqual({
      Title: 'Alligator',
      Author: 'Skyrex',
      Link: 'https://tapedeck.example/strategy/Skyrex01',
      Symbol: 'BINANCE:BTC_USDT',
      'Pine version': '5',
      ...Object.fromEntries(facetFields.map((field) => [facets[field].csv, ''])),
      'Total P&L %': '-12.35',
      'Max drawdown %': '154.2',
      'Profit factor': 'Infinity',
      'Sharpe ratio': '-0.489',
      Likes: '20349',
      'Total trades': '1026',
      Indicators: 'Supertrend, Ichimoku',
      Published: '2024-05-17',
      'Backtested from': '2023-05-11',
      'Backtested to': '2024-05-16',
    });
  });

  it('may wait for its turn in the engine much longer than a search', async () => {
    const list = jest.spyOn(explorer.engine, 'list');
    await rowsOf('');
    expect(list.mock.calls[0]?.[3]).toMatchObject({ isPatient: true, client: `session ${paid}` });
  });

  it('applies filters and order, and neutralises texts that spreadsheets would run as formulas', async () => {
    const [, ...rows] = await rowsOf('max_likes=100&sort_by=likes&sort_order=asc');
    expect(rows.map(([title]) => title)).toEqual([
      `'=HYPERLINK("http://evil.example")`,
      "'+1",
      "'@x",
      'say "no", twice',
      'two lines',
      "'-2+3",
    ]);
    expect(rows.map(([title, author]) => title === author)).not.toContain(false);
  });

  it('serves exports of two members at the same time, and refuses the second one of the same member', async () => {
    const { list } = explorer.engine;
    let release: () => void = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    let started = 0;
    // The pieces wait, not the requests: the engine refuses those that have become old before their turn.
    jest.spyOn(explorer.engine, 'list').mockImplementation(async function* (...request) {
      for await (const piece of list.apply(explorer.engine, request)) {
        started++;
        await gate;
        yield piece;
      }
    });
    const running: Promise<readonly (readonly string[])[]>[] = [];
    for (const account of [paid, other]) {
      running.push(rowsOf('', { [asAccount]: account }));
      while (started < running.length) await new Promise((resolve) => setImmediate(resolve));
    }
    const refused = await explorer.get(explorerRoutes.export, asPaid);
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'EXPORT_RUNNING' }]);
    release();
    const [one, two] = await Promise.all(running);
    expect(one).toHaveLength(hostile.length + 2);
    expect(two).toEqual(one);
    expect(await rowsOf('')).toEqual(one);
  });

  it('serves the next export of a member whose last one was aborted or has failed', async () => {
    listing(async function* () {
      await new Promise(() => {});
      yield [];
    });
    const abort = new AbortController();
    const aborted = fetch(`${explorer.url}${explorerRoutes.export}`, {
      headers: asPaid,
      signal: abort.signal,
    });
    aborted.catch(() => {});
    while (jest.mocked(explorer.engine.list).mock.calls.length === 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    abort.abort();
    await expect(aborted).rejects.toThrow(/abort/);
    jest.restoreAllMocks();
    await eventually(async () => {
      const next = await explorer.get(`${explorerRoutes.export}?search=alligator`, asPaid);
      await next.text();
      expect(next.status).toBe(200);
    });
  });

  it('reads from the engine only as fast as the client reads, and aborts when the client disconnects', async () => {
    const hit = await plainHit();
    const page = Array.from({ length: 500 }, () => hit);
    let taken = 0;
    let ended = false;
    const signals = listing(async function* () {
      try {
        for (;;) {
          taken++;
          yield page;
        }
      } finally {
        ended = true;
      }
    });
    const response = await openExport();
    let before = -1;
    while (before !== taken) {
      before = taken;
      for (let round = 0; round < 200; round++) await new Promise((resolve) => setImmediate(resolve));
    }
    response.once('error', () => undefined);
    const aborted = new Promise((resolve) => signals[0]?.addEventListener('abort', resolve));
    response.destroy();
    await aborted;
    await eventually(() => expect(ended).toBe(true));
    expect(taken).toBeLessThanOrEqual(before + 1);
  });

  it('breaks the connection when the engine fails midway', async () => {
    const hit = await plainHit();
    listing(async function* () {
      yield Array.from({ length: 2_000 }, () => hit);
      throw new Error('The engine has failed.');
    });
    const response = await explorer.get(explorerRoutes.export, asPaid);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow(/terminated/);
  });

  it('returns a problem when the engine is unavailable from the start', async () => {
    // oxlint-disable-next-line require-yield -- it fails before the first piece
    listing(async function* () {
      throw new DomainError('unavailable', 'SEARCH_UNAVAILABLE', 'The search engine is unavailable.');
    });
    const response = await explorer.get(explorerRoutes.export, asPaid);
    expect([response.status, await response.json()]).toMatchObject([503, { code: 'SEARCH_UNAVAILABLE' }]);
    expect(response.headers.get('content-disposition')).toBeNull();
  });

  it.each([
    ['min_likes=x', 'INVALID_REQUEST'],
    ['min_likes=9&max_likes=1', 'RANGE_REVERSED'],
    ['sort_by=luck', 'INVALID_REQUEST'],
  ])('refuses %s', async (query, code) => {
    const response = await explorer.get(`${explorerRoutes.export}?${query}`, asPaid);
    expect([response.status, await response.json()]).toMatchObject([400, { code }]);
  });

  it('refuses members who do not pay, and says why', async () => {
    for (const account of [free, accountId(derivedId('another'))]) {
      const refused = await explorer.get(explorerRoutes.export, { [asAccount]: account });
      expect([refused.status, await refused.json()]).toMatchObject([
        403,
        { code: 'FEATURE_NOT_INCLUDED', detail: expect.stringMatching(/upgrade/) },
      ]);
      const right = await explorer.get(explorerRoutes.exportRight, { [asAccount]: account });
      expect(await right.json()).toEqual({ allowed: false, limit: maxWindow });
    }
    const right = await explorer.get(explorerRoutes.exportRight, asPaid);
    expect(ExportRight.parse(await right.json()).allowed).toBe(true);
  });

  it('refuses visitors', async () => {
    for (const path of [explorerRoutes.export, explorerRoutes.exportRight]) {
      expect((await fetch(`${explorer.url}${path}`)).status).toBe(401);
    }
  });
});
