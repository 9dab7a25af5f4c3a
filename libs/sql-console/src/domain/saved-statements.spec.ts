import { describe, it } from '@jest/globals';
import { deciderSpec, goldenEvents } from '@tapedeck/eventing/testing';
import { accountId, derivedId } from '@tapedeck/kernel';
import { savedStatementEvents, type SavedStatementEvent } from '../events.ts';
import { maxSavedStatements } from './saved-limits.ts';
import { savedStatementsDecider, statementId, type StatementId } from './saved-statements.ts';

const account = accountId('0f8fad5b-d9cb-469f-a165-70867728950e');
const one = statementId('5b1c7a52-54a1-5a5e-8f3e-0c4d6b8f7e21');
const two = statementId(derivedId('two'));
const about = (id: StatementId) => ({ accountId: account, statementId: id });
const sql = 'select count(*) from strategies';

const saved = (id: StatementId, name: string): SavedStatementEvent => ({
  type: 'StatementSaved',
  data: { ...about(id), name, sql },
});
const renamed = (id: StatementId, name: string): SavedStatementEvent => ({
  type: 'StatementRenamed',
  data: { ...about(id), name },
});
const deleted = (id: StatementId): SavedStatementEvent => ({ type: 'StatementDeleted', data: about(id) });
const save = (id: StatementId, name: string) => ({ type: 'SaveStatement', ...about(id), name, sql }) as const;
const rename = (id: StatementId, name: string) => ({ type: 'RenameStatement', ...about(id), name }) as const;
const { given } = deciderSpec(savedStatementsDecider);

describe('a saved statement', () => {
  const remove = { type: 'DeleteStatement', ...about(one) } as const;

  it('is saved', () => given().when(save(one, 'Count')).then(saved(one, 'Count')));
  it('is saved once', () => given(saved(one, 'Count')).when(save(one, 'Count')).thenNothing());
  it('is refused under the name of another one, whatever its case', () =>
    given(saved(one, 'Count')).when(save(two, 'COUNT')).thenRefused('STATEMENT_NAME_TAKEN'));
  it('is saved under the name of one that was deleted', () =>
    given(saved(one, 'Count'), deleted(one)).when(save(two, 'Count')).then(saved(two, 'Count')));

  it('is refused above the limit', () => {
    const full = Array.from({ length: maxSavedStatements }, (_, at) =>
      saved(statementId(derivedId('statement', at)), `Statement ${at}`),
    );
    given(...full)
      .when(save(one, 'One more'))
      .thenRefused('TOO_MANY_STATEMENTS');
  });

  it('is renamed, also when only the case differs', () =>
    given(saved(one, 'Count')).when(rename(one, 'COUNT')).then(renamed(one, 'COUNT')));
  it('is not renamed to the name that it has', () =>
    given(saved(one, 'Count')).when(rename(one, 'Count')).thenNothing());
  it('is not renamed to the name of another one', () =>
    given(saved(one, 'Count'), saved(two, 'All'))
      .when(rename(two, 'count'))
      .thenRefused('STATEMENT_NAME_TAKEN'));
  it('is not renamed after it was deleted', () =>
    given(saved(one, 'Count'), deleted(one)).when(rename(one, 'All')).thenRefused('STATEMENT_NOT_FOUND'));

  it('is deleted', () => given(saved(one, 'Count')).when(remove).then(deleted(one)));
  it('is deleted once', () => given(saved(one, 'Count'), deleted(one)).when(remove).thenNothing());
});

goldenEvents(new URL('golden-saved/', import.meta.url), savedStatementEvents, {
  StatementSaved: saved(one, 'Count').data,
  StatementRenamed: renamed(one, 'All of them').data,
  StatementDeleted: deleted(one).data,
});
