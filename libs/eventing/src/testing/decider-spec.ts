import { expect } from '@jest/globals';
import { DomainError } from '@tapedeck/kernel';
import type { Decider } from '../decider.ts';
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
 * Rules as given, when, then; states are never looked at.
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
      const decide = (): readonly Event[] =>
        decider.decide(command, history.reduce(decider.evolve, decider.initialState));
      return {
        // oxlint-disable-next-line unicorn/no-thenable -- given, when, then: nobody awaits it
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
