import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { changesReady, platformRoutes } from '@tapedeck/platform/contract';
import { listenForChanges, type Browser } from './listen-for-changes.ts';
import { createRetries } from './retry.ts';

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

  /** The browser would connect again by itself. */
  isLost(): void {
    this.dispatchEvent(new Event('error'));
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
    retries: createRetries(() => ({
      page,
      network: new EventTarget(),
      now: () => Date.now(),
      random: () => 0,
    })),
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
  });
  afterEach(() => {
    jest.useRealTimers();
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

  it.each([
    ['is refused', (source: FakeSource) => source.isRefused()],
    ['is lost, which the browser itself would repeat', (source: FakeSource) => source.isLost()],
  ])('connects again when a connection %s, less and less often', (_how, fail) => {
    const { newest, sources, stop } = createPage();
    const connections = (ms: number): number => {
      fail(newest());
      expect(newest().readyState).toBe(2);
      jest.advanceTimersByTime(ms);
      return sources.length;
    };
    expect(connections(3_999)).toBe(1);
    jest.advanceTimersByTime(1);
    expect([connections(8_000), connections(16_000), connections(31_999)]).toEqual([3, 4, 4]);
    stop();
    jest.advanceTimersByTime(600_000);
    expect(sources).toHaveLength(4);
  });

  it('does not connect sooner by hiding and showing the page', () => {
    const { newest, sources, show, stop } = createPage();
    newest().isRefused();
    for (let times = 0; times < 5; times++) {
      show(false);
      show(true);
    }
    expect(sources).toHaveLength(1);
    show(false);
    jest.advanceTimersByTime(10_000);
    expect(sources).toHaveLength(1);
    show(true);
    expect(sources).toHaveLength(2);
    show(false);
    show(true);
    jest.advanceTimersByTime(60_000);
    expect(sources.map(({ readyState }) => readyState)).toEqual([2, 2, 0]);
    stop();
  });

  it('connects at once again after a connection that was ready', () => {
    const { newest, sources, show, stop } = createPage();
    newest().isRefused();
    jest.advanceTimersByTime(4_000);
    newest().isReady();
    show(false);
    show(true);
    expect(sources).toHaveLength(3);
    stop();
  });
});
