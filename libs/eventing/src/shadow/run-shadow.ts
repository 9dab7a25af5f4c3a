import { setImmediate } from 'node:timers/promises';
import { DomainError, isoNow, messageOf, derivedId, type Clock } from '@tapedeck/kernel';
import type { CommandContext } from '../commands/handle.ts';
import type { RecordedEvent } from '../event.ts';
import type { Dispatch, Effect, Reaction } from '../reaction.ts';
import { causedContext } from '../reactions/caused-context.ts';
import { leasedCommands } from '../reactions/commands.ts';
import { consumerOfEffect, consumerOfReaction, type Consumer } from '../reactions/consumer.ts';
import type { Shadow } from './shadow-tape.ts';

/** A command with the id under which it was executed: executed again, it changes nothing. */
export type ShadowCommand = Readonly<{ dispatch: Dispatch; context: CommandContext }>;

/** An event that its reaction cannot handle: on the tape it would be parked. */
export type ShadowFailure = Readonly<{ reaction: string; eventId: string; stream: string; error: string }>;

/** An event of the tape that is handled again, by all reactions or by the one that is named. */
export type HandledAgain = Readonly<{ event: RecordedEvent; reaction?: string }>;

/** What a run begins with. */
export type ShadowInput = Readonly<{
  commands?: readonly ShadowCommand[];
  again?: readonly HandledAgain[];
}>;

export type ShadowRun = Readonly<{
  /** What was appended, in order, with sealed personal fields. */
  events: readonly RecordedEvent[];
  /** The commands that have appended it, in order. */
  commands: readonly ShadowCommand[];
  failures: readonly ShadowFailure[];
}>;

export type ShadowParts = Readonly<{
  reactions: readonly Reaction[];
  /** Only such as read: what they reach outside is what their ports let them reach. */
  effects: readonly Effect[];
  clock: Clock;
  signal: AbortSignal;
  /** The replay that appends what the commands append. */
  replayId?: string;
}>;

/** More events than that come from a loop of reactions. */
const maxEvents = 20_000;

const tooManyEvents = (): DomainError =>
  new DomainError(
    'unprocessable',
    'SHADOW_TOO_LARGE',
    `The replay leads to more than ${maxEvents.toLocaleString('en')} events: choose fewer events or a shorter time.`,
  );

/**
 * Executes commands on a shadow of the tape, handles events again, and does everything that reactions and effects make of them, until nothing more
 * follows. The ids are those that the runner would use.
 *
 * @throws what a given command throws; what a reaction throws is one of the `failures`.
 */
export const runShadow = async (
  shadow: Shadow,
  { commands: given = [], again = [] }: ShadowInput,
  { reactions, effects, clock, signal, replayId }: ShadowParts,
): Promise<ShadowRun> => {
  const commands = leasedCommands(shadow.store, () => signal.throwIfAborted());
  const consumers: readonly Consumer[] = [
    ...reactions.map(consumerOfReaction),
    ...effects.map(consumerOfEffect),
  ];
  const executed: ShadowCommand[] = [];
  const failures: ShadowFailure[] = [];

  const send = async (command: ShadowCommand): Promise<void> => {
    const { changed } = await commands.send(command.dispatch, command.context);
    if (changed) executed.push(command);
  };

  const react = async (event: RecordedEvent, consumer: Consumer): Promise<void> => {
    const key = derivedId(event.id, consumer.name);
    const context = { read: commands.read, key, now: isoNow(clock), attempt: 1, signal };
    const dispatches = await consumer.handle(event, context);
    for (const [index, dispatch] of dispatches.entries()) {
      const caused = causedContext(consumer.name, event, index, clock);
      await send({ dispatch, context: replayId === undefined ? caused : { ...caused, replayId } });
    }
  };

  const handle = async ({ event, reaction }: HandledAgain): Promise<void> => {
    const handling = consumers.filter(
      ({ name, types, concerns }) =>
        types.includes(event.type) &&
        (reaction === undefined || name === reaction) &&
        (concerns === undefined || concerns(event)),
    );
    for (const consumer of handling) {
      try {
        await react(event, consumer);
      } catch (error) {
        signal.throwIfAborted();
        const { id: eventId, stream } = event;
        failures.push({ reaction: consumer.name, eventId, stream, error: messageOf(error) });
      }
    }
  };

  for (const command of given) await send(command);
  for (const one of again) await handle(one);
  let handled = 0;
  for (;;) {
    const added = await shadow.added('current', handled);
    if (added.length === 0) break;
    handled += added.length;
    if (handled > maxEvents) throw tooManyEvents();
    for (const event of added) {
      await handle({ event });
      // Nothing here waits for the outside: timers, and so the signal, get their turn.
      await setImmediate();
    }
  }
  return { events: await shadow.added('sealed'), commands: executed, failures };
};
