import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { StripeFailure } from '../engine/failure.ts';

export type LoggedRequest = Readonly<{
  method: string;
  path: string;
  idempotencyKey: string | null;
  parameters: readonly string[];
}>;

export type RequestLog = Readonly<{
  add: (request: FastifyRequest, idempotencyKey: string | null, parameters: readonly string[]) => void;
  list: () => readonly LoggedRequest[];
  reset: () => void;
}>;

const maxLogged = 10_000;

export const createRequestLog = (): RequestLog => {
  let requests: LoggedRequest[] = [];
  return {
    add: (request, idempotencyKey, parameters) => {
      if (requests.length === maxLogged) requests.shift();
      const path = request.raw.url?.split('?')[0] ?? '';
      requests.push({ method: request.method, path, idempotencyKey, parameters });
    },
    list: () => requests,
    reset: () => {
      requests = [];
    },
  };
};

export const callFaultKinds = [
  'error',
  'refuse',
  'rate_limit',
  'hang',
  'lose_answer',
  'hold_answer',
] as const;

/** A failure of the next calls, or a delay of every call. */
export type CallFault = Readonly<{
  kind: (typeof callFaultKinds)[number];
  count: number;
  /** Of a refusal: Stripe's code. */
  code?: string | undefined;
  /** Only calls whose path begins so. */
  path?: string | undefined;
  /** Only calls with this method. */
  method?: string | undefined;
}>;

export type CallFaults = Readonly<{
  add: (fault: CallFault) => void;
  clear: () => void;
  /** How many answers are held. */
  held: () => number;
  /** Sends the answers that are held. */
  release: () => void;
  setLatency: (ms: number) => void;
  /** Before the work: delays, fails, or never answers. */
  before: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /** After the work is done and on disk: the answer may be lost, or held. */
  after: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
}>;

const connectionClosed = (reply: FastifyReply): Promise<void> =>
  new Promise((resolve) => {
    reply.raw.once('close', resolve);
  });

export const createCallFaults = (): CallFaults => {
  let faults: readonly CallFault[] = [];
  let latencyMs = 0;
  let held: readonly (() => void)[] = [];

  const take = (request: FastifyRequest, kinds: readonly CallFault['kind'][]): CallFault | undefined => {
    const found = faults.find(
      ({ kind, path = '', method = request.method }) =>
        kinds.includes(kind) && request.url.startsWith(path) && method === request.method,
    );
    if (found)
      faults = faults.flatMap((each) =>
        each !== found ? [each] : each.count > 1 ? [{ ...each, count: each.count - 1 }] : [],
      );
    return found;
  };

  const release = (): void => {
    for (const send of held) send();
    held = [];
  };

  return {
    held: () => held.length,
    release,
    add: (fault) => {
      faults = [...faults, fault];
    },
    clear: () => {
      faults = [];
      release();
      latencyMs = 0;
    },
    setLatency: (ms) => {
      latencyMs = ms;
    },
    before: async (request, reply) => {
      if (latencyMs > 0) await sleep(latencyMs);
      const fault = take(request, ['error', 'refuse', 'rate_limit', 'hang']);
      if (!fault) return;
      if (fault.kind === 'hang') await connectionClosed(reply);
      if (fault.kind === 'rate_limit')
        throw new StripeFailure(429, {
          type: 'invalid_request_error',
          code: 'rate_limit',
          message: 'Request rate limit exceeded.',
        });
      if (fault.kind === 'refuse')
        throw new StripeFailure(400, {
          type: 'invalid_request_error',
          ...(fault.code === undefined ? {} : { code: fault.code }),
          message: 'This is not possible at the moment.',
        });
      throw new StripeFailure(500, { type: 'api_error', message: 'An unknown error occurred.' });
    },
    after: async (request, reply) => {
      const fault = take(request, ['lose_answer', 'hold_answer']);
      if (!fault) return;
      if (fault.kind === 'hold_answer') {
        await new Promise<void>((resolve) => {
          held = [...held, resolve];
        });
        return;
      }
      reply.hijack();
      reply.raw.destroy();
    },
  };
};
