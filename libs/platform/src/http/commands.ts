import { Inject, Injectable } from '@nestjs/common';
import type { CommandContext, Handle, Handled, HandleOptions } from '@tapedeck/eventing';
import {
  commandId,
  derivedId,
  DomainError,
  isoNow,
  newId,
  type Clock,
  type CommandId,
} from '@tapedeck/kernel';
import type { FastifyRequest } from 'fastify';
import { CLOCK } from '../tokens.ts';
import { currentRequest } from './request-context.ts';

const longestKey = 200;

/** The same key of the same account is the same command; without a key every request is a new one. */
const commandIdOf = (request: FastifyRequest): CommandId => {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return commandId(newId());
  if (typeof key !== 'string' || key.length === 0 || key.length > longestKey) {
    throw new DomainError(
      'invalid',
      'BAD_IDEMPOTENCY_KEY',
      `The header Idempotency-Key must be one text of 1 to ${longestKey} characters.`,
    );
  }
  return commandId(derivedId('request', request.account?.id ?? 'visitor', request.method, request.url, key));
};

const actorKindOf = (roles: readonly string[]): 'admin' | 'support' | 'member' =>
  roles.includes('admin') ? 'admin' : roles.includes('support') ? 'support' : 'member';

/** Gives a command its context from the request it came with, and notes how far the tape has moved. */
@Injectable()
export class Commands {
  readonly #clock: Clock;

  constructor(@Inject(CLOCK) clock: Clock) {
    this.#clock = clock;
  }

  async run<Command, State>(
    handle: Handle<Command, State>,
    stream: string,
    command: Command,
    options: HandleOptions = {},
  ): Promise<Handled<State>> {
    const current = currentRequest();
    if (!current) throw new Error('Commands.run needs a request; elsewhere call the handle itself.');
    const { request } = current;
    const account = request.account;
    const context: CommandContext = {
      commandId: commandIdOf(request),
      actor: account
        ? { id: account.id, kind: actorKindOf(account.roles) }
        : { id: 'visitor', kind: 'member' },
      now: isoNow(this.#clock),
      correlationId: request.id,
    };
    const handled = await handle(stream, command, context, options);
    if (handled.position > current.written) current.written = handled.position;
    return handled;
  }
}
