import { expect } from '@jest/globals';
import { DomainError } from '@tapedeck/kernel';
import { stateAfter, type Decider } from '../decider.ts';
import type { DomainEvent } from '../event.ts';

export type DeciderSpec<Command, Event extends DomainEvent> = Readonly<{
  given: (...history: readonly Event[]) => Readonly<{
    when: (command: Command) => Readonly<{
      then: (...events: readonly Event[]) => void;
      thenNothing: () => void;
      thenRefused: (code: string) => void;
    }>;
  }>;
}>;

/**
 * Tests a decider by events and commands only, never by its state.
 *
 * @example
 * const { given } = deciderSpec(favouritesDecider);
 * given(added).when(remove).then(removed);
 */
export const deciderSpec = <State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
): DeciderSpec<Command, Event> => ({
  given: (...history) => ({
    when: (command) => {
      const decide = (): readonly Event[] => decider.decide(command, stateAfter(decider, history));
      return {
        // oxlint-disable-next-line unicorn/no-thenable -- the result of `when` is not a promise, and no caller awaits it
        then: (...events) => expect(decide()).toEqual(events),
        thenNothing: () => expect(decide()).toEqual([]),
        thenRefused: (code) => {
          let refusal: unknown;
          try {
            decide();
          } catch (error) {
            refusal = error;
          }
          expect(refusal).toBeInstanceOf(DomainError);
          expect(refusal).toMatchObject({ code });
        },
      };
    },
  }),
});
