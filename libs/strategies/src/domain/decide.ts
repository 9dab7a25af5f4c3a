import { commandTarget, type Decider } from '@tapedeck/eventing/core';
import { DomainError, type JsonValue } from '@tapedeck/kernel';
import {
  eventsOfStrategies,
  evolve,
  type Listed,
  type Strategy,
  type StrategyEvent,
  strategySnapshot,
  unknownStrategy,
  type Withdrawn,
} from './strategy.ts';
import { emptyRecord, type StrategyRecord } from './strategy-record.ts';

export type Amendment = Readonly<Partial<Omit<StrategyRecord, 'url_id'>>>;

/** A strategy as a source has it now: new, changed, or the same as before. */
export type ImportStrategy = Readonly<{
  type: 'ImportStrategy';
  record: StrategyRecord;
  contentHash: string;
}>;
export type AmendStrategy = Readonly<{
  type: 'AmendStrategy';
  urlId: string;
  changes: Amendment;
  reason: string;
}>;
export type WithdrawStrategy = Readonly<{ type: 'WithdrawStrategy'; urlId: string; reason: string }>;
/**
 * A change that an admin has confirmed in the SQL console. It is never refused: where the strategy is no longer as it was
 * shown, nothing happens.
 */
export type ApplyConsoleChange = Readonly<{
  type: 'ApplyConsoleChange';
  op: 'insert' | 'update' | 'delete';
  urlId: string;
  values: Readonly<Record<string, JsonValue>>;
  reason: string;
}>;
export type StrategyCommand = ImportStrategy | AmendStrategy | WithdrawStrategy | ApplyConsoleChange;

const withdrawn = (urlId: string, { reason }: Withdrawn): DomainError =>
  new DomainError(
    'conflict',
    'STRATEGY_WITHDRAWN',
    `Strategy ${urlId} was withdrawn from the catalogue (${reason}): it cannot be imported again.`,
  );

const reasonOf = (reason: string): string => {
  const trimmed = reason.trim();
  if (trimmed !== '') return trimmed;
  throw new DomainError(
    'invalid',
    'REASON_MISSING',
    'Give a reason in a few words: it is kept in the history.',
  );
};

const assertListed = (urlId: string, state: Strategy): Listed => {
  if (state.status === 'listed') return state;
  if (state.status === 'withdrawn') throw withdrawn(urlId, state);
  throw new DomainError('not-found', 'STRATEGY_NOT_FOUND', `There is no strategy ${urlId} in the catalogue.`);
};

const importStrategy = (
  { record, contentHash }: ImportStrategy,
  state: Strategy,
): readonly StrategyEvent[] => {
  switch (state.status) {
    case 'unknown':
      return [{ type: 'StrategyImported', data: { record, contentHash } }];
    case 'listed':
      if (state.contentHash === contentHash) return [];
      return [{ type: 'StrategyRevised', data: { record, contentHash } }];
    case 'withdrawn':
      throw withdrawn(record.url_id, state);
    default:
      return state satisfies never;
  }
};

const sameValue = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const amend = (command: AmendStrategy, state: Strategy): readonly StrategyEvent[] => {
  const { record } = assertListed(command.urlId, state);
  const reason = reasonOf(command.reason);
  const amended: StrategyRecord = { ...record, ...command.changes };
  if (amended.title.trim() === '') {
    throw new DomainError('invalid', 'TITLE_MISSING', 'A strategy must have a title.');
  }
  const changed = (Object.keys(command.changes) as (keyof Amendment)[]).filter(
    (field) => !sameValue(record[field], amended[field]),
  );
  if (changed.length === 0) return [];
  return [{ type: 'StrategyAmended', data: { record: amended, changed, reason } }];
};

const withdraw = ({ urlId, reason }: WithdrawStrategy, state: Strategy): readonly StrategyEvent[] => {
  if (state.status === 'withdrawn') return [];
  assertListed(urlId, state);
  return [{ type: 'StrategyWithdrawn', data: { urlId, reason: reasonOf(reason) } }];
};

const applyConsoleChange = (command: ApplyConsoleChange, state: Strategy): readonly StrategyEvent[] => {
  const { op, urlId, values, reason } = command;
  if (op === 'insert') {
    if (state.status === 'listed') return [];
    // The trigger of the catalogue's view has checked columns and types.
    const record = { ...emptyRecord, ...values, url_id: urlId } as unknown as StrategyRecord;
    // No hash of a source, so the next import of this strategy revises it.
    return [{ type: 'StrategyImported', data: { record, contentHash: '' } }];
  }
  if (state.status !== 'listed') return [];
  if (op === 'delete') return withdraw({ type: 'WithdrawStrategy', urlId, reason }, state);
  return amend({ type: 'AmendStrategy', urlId, changes: values, reason }, state);
};

const decide = (command: StrategyCommand, state: Strategy): readonly StrategyEvent[] => {
  switch (command.type) {
    case 'ImportStrategy':
      return importStrategy(command, state);
    case 'AmendStrategy':
      return amend(command, state);
    case 'WithdrawStrategy':
      return withdraw(command, state);
    case 'ApplyConsoleChange':
      return applyConsoleChange(command, state);
    default:
      return command satisfies never;
  }
};

export const strategyDecider: Decider<Strategy, StrategyCommand, StrategyEvent> = {
  initialState: unknownStrategy,
  decide,
  evolve,
  snapshot: strategySnapshot,
};

export const strategies = commandTarget(strategyDecider, eventsOfStrategies);
