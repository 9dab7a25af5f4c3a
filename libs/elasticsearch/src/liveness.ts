import type { Client } from '@elastic/elasticsearch';
import { isAnswer, isNotFound } from './failures.ts';
import { indexStateId } from './index/index-state.ts';

/** What is known about whether the server answers. */
export type Liveness = Readonly<{
  /** To be called with every good answer: while there are any, the server need not be checked. */
  answered: () => void;
  /** Has the server checked next time, because a request to it has failed. */
  suspect: () => void;
  isDue: () => boolean;
  /**
   * Returns whether there is an index of this program.
   * @throws the server's error when it does not answer, and nothing else has been answered meanwhile.
   */
  check: () => Promise<boolean>;
}>;

export type LivenessOptions = Readonly<{
  /** With a connection of its own: requests of members do not delay the check. */
  client: Client;
  alias: string;
}>;

const checkAfterMs = 2_000;
const answerWithinMs = 3_000;

/**
 * Reads one document by its id: the server does that in other threads than searches, and it needs no privilege but to
 * read.
 */
const hasState = async (client: Client, alias: string): Promise<boolean> => {
  try {
    await client.get(
      { index: alias, id: indexStateId, realtime: false, _source: false },
      { requestTimeout: answerWithinMs },
    );
    return true;
  } catch (error) {
    if (!isAnswer(error)) throw error;
    return !isNotFound(error);
  }
};

export const createLiveness = ({ client, alias }: LivenessOptions): Liveness => {
  let answeredAt = -Infinity;
  const answered = (): void => {
    answeredAt = performance.now();
  };
  return {
    answered,
    suspect: () => {
      answeredAt = -Infinity;
    },
    isDue: () => performance.now() - answeredAt > checkAfterMs,
    check: async () => {
      const startedAt = performance.now();
      try {
        const exists = await hasState(client, alias);
        answered();
        return exists;
      } catch (error) {
        if (answeredAt >= startedAt) return true;
        throw error;
      }
    },
  };
};
