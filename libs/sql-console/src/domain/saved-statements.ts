import {
  commandTarget,
  type Decider,
  defineEvents,
  type DomainEvent,
  type Personal,
  readable,
} from '@tapedeck/eventing/core';
import { DomainError, parseUuid, type AccountId, type Branded } from '@tapedeck/kernel';
import { maxSavedStatements } from './saved-limits.ts';

/** A statement that an admin has saved. */
export type StatementId = Branded<'StatementId'>;

/** @throws DomainError INVALID_ID */
export const statementId = (value: string): StatementId => parseUuid('statement id', value) as StatementId;

type OfStatement = { accountId: AccountId; statementId: StatementId };

export type StatementSaved = DomainEvent<
  'StatementSaved',
  OfStatement & { name: Personal<string>; sql: Personal<string> }
>;
export type StatementRenamed = DomainEvent<'StatementRenamed', OfStatement & { name: Personal<string> }>;
export type StatementDeleted = DomainEvent<'StatementDeleted', OfStatement>;
export type SavedStatementEvent = StatementSaved | StatementRenamed | StatementDeleted;

export const savedStatementEvents = defineEvents<SavedStatementEvent>({
  StatementSaved: { version: 1, personal: ['name', 'sql'], subject: 'accountId' },
  StatementRenamed: { version: 1, personal: ['name'], subject: 'accountId' },
  StatementDeleted: { version: 1 },
});

export const savedStatementsStream = (account: AccountId): string => `savedStatements-${account}`;

export type SavedStatementCommand =
  | Readonly<{ type: 'SaveStatement'; name: string; sql: string } & OfStatement>
  | Readonly<{ type: 'RenameStatement'; name: string } & OfStatement>
  | Readonly<{ type: 'DeleteStatement' } & OfStatement>;

/** The names of an admin's statements. */
export type SavedStatements = ReadonlyMap<StatementId, string>;

const evolve = (state: SavedStatements, event: SavedStatementEvent): SavedStatements => {
  const { statementId: id } = event.data;
  switch (event.type) {
    case 'StatementSaved':
    case 'StatementRenamed':
      return new Map([...state, [id, readable(event.data.name, '')]]);
    case 'StatementDeleted':
      return new Map([...state].filter(([other]) => other !== id));
    default:
      return event satisfies never;
  }
};

const folded = (name: string): string => name.normalize('NFKC').toLowerCase();

/** @throws DomainError STATEMENT_NAME_TAKEN when another one has the name, whatever its case. */
const assertNameIsFree = (name: string, id: StatementId, state: SavedStatements): void => {
  const taken = [...state].find(([other, saved]) => other !== id && folded(saved) === folded(name));
  if (!taken) return;
  throw new DomainError(
    'conflict',
    'STATEMENT_NAME_TAKEN',
    `You already have a statement called “${taken[1]}”: choose another name.`,
  );
};

const save = (
  { accountId, statementId: id, name, sql }: Extract<SavedStatementCommand, { type: 'SaveStatement' }>,
  state: SavedStatements,
): readonly SavedStatementEvent[] => {
  if (state.has(id)) return [];
  assertNameIsFree(name, id, state);
  if (state.size >= maxSavedStatements) {
    throw new DomainError(
      'conflict',
      'TOO_MANY_STATEMENTS',
      `You have ${maxSavedStatements} saved statements, the limit: delete one first.`,
    );
  }
  return [{ type: 'StatementSaved', data: { accountId, statementId: id, name, sql } }];
};

const rename = (
  { accountId, statementId: id, name }: Extract<SavedStatementCommand, { type: 'RenameStatement' }>,
  state: SavedStatements,
): readonly SavedStatementEvent[] => {
  if (!state.has(id)) {
    throw new DomainError(
      'not-found',
      'STATEMENT_NOT_FOUND',
      'This statement is not among your saved ones: it may have been deleted.',
    );
  }
  if (state.get(id) === name) return [];
  assertNameIsFree(name, id, state);
  return [{ type: 'StatementRenamed', data: { accountId, statementId: id, name } }];
};

const decide = (command: SavedStatementCommand, state: SavedStatements): readonly SavedStatementEvent[] => {
  switch (command.type) {
    case 'SaveStatement':
      return save(command, state);
    case 'RenameStatement':
      return rename(command, state);
    case 'DeleteStatement': {
      const { accountId, statementId: id } = command;
      return state.has(id) ? [{ type: 'StatementDeleted', data: { accountId, statementId: id } }] : [];
    }
    default:
      return command satisfies never;
  }
};

export const savedStatementsDecider: Decider<SavedStatements, SavedStatementCommand, SavedStatementEvent> = {
  initialState: new Map(),
  decide,
  evolve,
};

export const savedStatements = commandTarget(savedStatementsDecider, savedStatementEvents);
