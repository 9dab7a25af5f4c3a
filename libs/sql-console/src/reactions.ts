import {
  defineEffect,
  readEvents,
  type Effect,
  type EventStore,
  type RecordedEvent,
} from '@tapedeck/eventing';
import { accountStream, identityEvents, type AccountForgotten } from '@tapedeck/identity/events';
import { accountId, type AccountId } from '@tapedeck/kernel';
import { streamEvents, sqlConsoleStream, statementSubject, type SqlRequested } from './domain/console.ts';

export type SqlConsolePorts = Readonly<{ store: Pick<EventStore, 'readStream' | 'forget'> }>;

type Handled = AccountForgotten | SqlRequested;

const statementsOf = async ({ store }: SqlConsolePorts, account: AccountId): Promise<readonly string[]> => {
  const events = await readEvents(store, sqlConsoleStream(account), streamEvents, { form: 'sealed' });
  return events.flatMap(({ type, data }) => (type === 'SqlRequested' ? [data.queryId] : []));
};

const isDeleted = async ({ store }: SqlConsolePorts, account: AccountId): Promise<boolean> => {
  const events = await readEvents(store, accountStream(account), identityEvents, { form: 'sealed' });
  return events.some(({ type }) => type === 'AccountForgotten');
};

const ownerOf = ({ stream }: RecordedEvent<SqlRequested>): AccountId =>
  accountId(stream.slice(sqlConsoleStream('').length));

const statementsToForget = async (
  event: RecordedEvent<Handled>,
  ports: SqlConsolePorts,
): Promise<readonly string[]> => {
  switch (event.type) {
    case 'AccountForgotten':
      return statementsOf(ports, event.data.accountId);
    case 'SqlRequested':
      // It was sent while the account was deleted.
      return (await isDeleted(ports, ownerOf(event))) ? [event.data.queryId] : [];
    default:
      return event satisfies never;
  }
};

/** Deletes the keys of the statements of a deleted account: neither they nor reasons and addresses can be read any more. */
const statementKeysEffect = (ports: SqlConsolePorts): Effect =>
  defineEffect<Handled>({
    name: 'sql-console-keys',
    afterReplay: 'run',
    types: { AccountForgotten: true, SqlRequested: true },
    keyOf: ({ stream }) => stream.slice(stream.indexOf('-') + 1),
    run: async (event) => {
      for (const id of await statementsToForget(event, ports)) await ports.store.forget(statementSubject(id));
      return [];
    },
  });

export const sqlConsoleEffects = (ports: SqlConsolePorts): readonly Effect[] => [statementKeysEffect(ports)];
