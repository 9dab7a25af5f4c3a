import { describe, expect, it } from '@jest/globals';
import type { JsonValue } from '@tapedeck/kernel';
import { readFileSync } from 'node:fs';
import { stateAfter, type Decider } from '../decider.ts';
import type { DomainEvent } from '../event.ts';
import { contentOf, stateIn } from '../commands/snapshot-content.ts';

/** In any order: that of a map may depend on how it came about. */
const expectEntries = (actual: readonly JsonValue[], expected: readonly JsonValue[]): void => {
  expect(actual).toHaveLength(expected.length);
  expect(actual).toEqual(expect.arrayContaining([...expected]));
};

/**
 * Tests that snapshots of a decider never change an outcome, and that their form has a new version when they change:
 * `golden` contains the entries that the history gives, and its name ends with the version.
 *
 * @example
 * goldenSnapshots(favouritesDecider, new URL('golden-snapshots/favourites.v1.json', import.meta.url), history);
 */
export const goldenSnapshots = <State, Event extends DomainEvent>(
  decider: Decider<State, never, Event>,
  golden: URL,
  history: readonly Event[],
): void => {
  const form = decider.snapshot;
  if (!form) throw new Error('The decider has no snapshots.');

  describe('a snapshot', () => {
    it('of the golden history has the entries that its version has always had', () => {
      expect(golden.pathname).toMatch(new RegExp(`\\.v${form.version}\\.json$`));
      const entries = JSON.parse(readFileSync(golden, 'utf8')) as readonly JsonValue[];
      expectEntries(form.toEntries(stateAfter(decider, history)), entries);
    });

    it('after any event of the history leads to the same state as the events', async () => {
      const whole = form.toEntries(stateAfter(decider, history));
      for (let at = 0; at <= history.length; at++) {
        const content = await contentOf(stateAfter(decider, history.slice(0, at)), form);
        const state = stateAfter(decider, history.slice(at), await stateIn(content, form));
        expectEntries(form.toEntries(state), whole);
      }
    });
  });
};
