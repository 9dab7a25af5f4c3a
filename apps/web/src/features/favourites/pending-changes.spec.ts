import { describe, expect, it } from '@jest/globals';
import type { Favourite } from '@tapedeck/favourites/contract';
import { createPendingChanges, withPendingChanges } from './pending-changes.ts';

const favourite = (urlId: string): Favourite => ({
  urlId,
  tags: [],
  addedAt: '2027-01-01T00:00:00.000Z',
  etag: '"1"',
  strategy: null,
});
const [a, b] = [favourite('a'), favourite('b')];

const shown = (list: readonly Favourite[], store: ReturnType<typeof createPendingChanges>): string =>
  withPendingChanges(list, store.get())
    .map(({ urlId }) => urlId)
    .join('');

describe('a removal', () => {
  it('is shown at once, and is taken back when it fails', () => {
    const store = createPendingChanges();
    store.begin(a, false);
    expect(shown([a, b], store)).toBe('b');
    store.drop('a');
    expect(shown([a, b], store)).toBe('ab');
  });

  it('outlasts a list that was requested before it was confirmed', () => {
    const store = createPendingChanges();
    store.begin(a, false);
    const early = store.beginRead();
    store.confirm('a');
    early();
    expect(shown([a, b], store)).toBe('b');
  });

  it('ends with a list that was requested afterwards, which may contain the favourite again', () => {
    const store = createPendingChanges();
    store.begin(a, false);
    store.confirm('a');
    store.beginRead()();
    expect(shown([a, b], store)).toBe('ab');
  });

  it('is followed by its undoing, which a list of the removal does not end', () => {
    const store = createPendingChanges();
    store.begin(a, false);
    store.confirm('a');
    const ofRemoval = store.beginRead();
    store.begin(a, true);
    ofRemoval();
    expect(shown([b], store)).toBe('ab');
    store.confirm('a');
    expect(shown([a, b], store)).toBe('ab');
    store.beginRead()();
    expect(shown([b], store)).toBe('b');
  });

  it('tells listeners of each change until they leave', () => {
    const store = createPendingChanges();
    let calls = 0;
    const leave = store.subscribe(() => calls++);
    store.begin(a, false);
    store.confirm('a');
    leave();
    store.drop('a');
    expect(calls).toBe(2);
  });
});
