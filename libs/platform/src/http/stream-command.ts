import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { handle, type CommandTarget, type EventStore } from '@tapedeck/eventing';
import { EVENT_STORE } from '../tokens.ts';
import { requestCommandContext, type RequestCommandOptions } from './request-context.ts';

/**
 * A command of the current request for the decider of a stream; answers with the state after it. Only a command that needs
 * more than its rule, such as a read model, has a handler of its own.
 *
 * @example
 * const command = { type: 'RemoveFavourite', accountId, urlId } as const;
 * const { present } = await commands.execute(new StreamCommand(favourites, favouritesStream(accountId), command));
 */
export class StreamCommand<State, Content> extends Command<State> {
  constructor(
    readonly target: CommandTarget<State, Content>,
    readonly stream: string,
    readonly content: NoInfer<Content>,
    readonly options: RequestCommandOptions = {},
  ) {
    super();
  }
}

@CommandHandler(StreamCommand)
export class StreamCommandHandler implements ICommandHandler<StreamCommand<unknown, unknown>> {
  readonly #store: EventStore;

  constructor(@Inject(EVENT_STORE) store: EventStore) {
    this.#store = store;
  }

  async execute({ target, stream, content, options }: StreamCommand<unknown, unknown>): Promise<unknown> {
    const send = handle(this.#store, target.decider, target.types);
    return (await send(stream, content, requestCommandContext(options))).state;
  }
}
