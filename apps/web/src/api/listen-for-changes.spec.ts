import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { changesReady, platformRoutes } from '@tapedeck/platform/contract';
import { listenForChanges, type Browser } from './listen-for-changes.ts';

class FakeSource extends EventTarget {
  readyState = 0;
  readonly url: string;

  constructor(url: string) {
    super();
    this.url = url;
  }

  close(): void {
    this.readyState = 2;
  }

  isReady(): void {
    this.dispatchEvent(new Event(changesReady));
  }

  sends(data: string): void {
    this.dispatchEvent(new MessageEvent('message', { data }));
  }

  isRefused(): void {
    this.readyState = 2;
    this.dispatchEvent(new Event('error'));
  }
}

/** A page with the connections that it has opened, and what was reported. */
const createPage = () => {
  const sources: FakeSource[] = [];
  const reports: string[] = [];
  const page = Object.assign(new EventTarget(), { hidden: false });
  const browser: Browser = {
    page,
    open: (url) => {
      const source = new FakeSource(url);
      sources.push(source);
      // The listener uses only what the fake has.
      return source as unknown as EventSource;
    },
  };
  const stop = listenForChanges(
    {
      onReady: () => reports.push('ready'),
      onChange: ({ topic, position }) => reports.push(`${topic} ${position}`),
      onLost: () => reports.push('lost'),
    },
    browser,
  );
  const show = (isVisible: boolean): void => {
    page.hidden = !isVisible;
    page.dispatchEvent(new Event('visibilitychange'));
  };
  const newest = (): FakeSource => sources.at(-1) ?? new FakeSource('');
  return { sources, reports, show, stop, newest };
};

describe('listenForChanges', () => {
  beforeEach(() => {
    jest.useFakeTimers();
    // Node.js has none.
    Object.assign(globalThis, { EventSource: { CLOSED: 2 } });
  });
  afterEach(() => {
    jest.useRealTimers();
    Reflect.deleteProperty(globalThis, 'EventSource');
  });

  it('reports changes of all topics by one connection, and nothing that does not fit the contract', () => {
    const { newest, sources, reports, stop } = createPage();
    newest().isReady();
    newest().sends('{"topic":"catalogue","position":"12"}');
    newest().sends('{"topic":"billing","position":"13"}');
    newest().sends('{"topic":"billing","position":"-1"}');
    newest().sends('nothing');
    stop();
    expect(reports).toEqual(['ready', 'catalogue 12', 'billing 13']);
    expect(sources.map(({ url, readyState }) => [url, readyState])).toEqual([[platformRoutes.changes, 2]]);
  });

  it('holds no connection while the page is hidden, and has one again when it is shown', () => {
    const { newest, sources, reports, show, stop } = createPage();
    newest().isReady();
    show(false);
    expect([sources.length, newest().readyState]).toEqual([1, 2]);
    show(true);
    newest().isReady();
    expect(reports).toEqual(['ready', 'lost', 'ready']);
    stop();
  });

  it('connects again after a refusal, less and less often', () => {
    const { newest, sources, stop } = createPage();
    const connections = (ms: number): number => {
      newest().isRefused();
      jest.advanceTimersByTime(ms);
      return sources.length;
    };
    expect([connections(4_999), sources.length]).toEqual([1, 1]);
    jest.advanceTimersByTime(1);
    expect([connections(9_999), connections(20_000), connections(60_000)]).toEqual([2, 3, 4]);
    stop();
    jest.advanceTimersByTime(600_000);
    expect(sources).toHaveLength(4);
  });
});
