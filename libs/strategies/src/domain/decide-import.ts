import type { Decider } from '@tapedeck/eventing/core';
import { DomainError } from '@tapedeck/kernel';
import {
  evolveImport,
  newImport,
  type Duplicate,
  type ImportCounts,
  type ImportSource,
  type Rejection,
  type StrategyImport,
  type StrategyImportEvent,
} from './strategy-import.ts';

type WithImportId = Readonly<{ importId: string }>;

export type RequestImport = Readonly<{ type: 'RequestImport' }> &
  WithImportId &
  Readonly<{ source: ImportSource }>;
export type RejectEntries = Readonly<{ type: 'RejectEntries' }> &
  WithImportId &
  Readonly<{ rejections: readonly Rejection[] }>;
export type CompleteImport = Readonly<{ type: 'CompleteImport' }> &
  WithImportId &
  Readonly<{ counts: ImportCounts; duplicates: readonly Duplicate[] }>;
export type FailImport = Readonly<{ type: 'FailImport' }> &
  WithImportId &
  Readonly<{ counts: ImportCounts; code: string; reason: string }>;
export type StrategyImportCommand = RequestImport | RejectEntries | CompleteImport | FailImport;

/** All rejections and duplicates are counted, but only so many are named. */
export const maxNamedRejections = 1_000;
export const maxNamedDuplicates = 100;

const sameSource = (a: ImportSource, b: ImportSource): boolean =>
  a.kind === 'archive' && b.kind === 'archive'
    ? a.sha256 === b.sha256
    : a.kind === b.kind && a.name === b.name;

const request = (
  { importId, source }: RequestImport,
  state: StrategyImport,
): readonly StrategyImportEvent[] => {
  if (state.status === 'new') return [{ type: 'ImportRequested', data: { importId, source } }];
  if (!sameSource(state.source, source)) {
    throw new DomainError(
      'conflict',
      'IMPORT_ID_REUSED',
      `Import ${importId} was started with "${state.source.name}": use another id for another file.`,
    );
  }
  if (state.status !== 'failed') return [];
  throw new DomainError(
    'conflict',
    'IMPORT_ENDED',
    `Import ${importId} has ended (${state.outcome.reason}): start again with a new id.`,
  );
};

const keyOf = ({ entry, code }: Rejection): string => `${code} ${entry}`;

const reject = (command: RejectEntries, state: StrategyImport): readonly StrategyImportEvent[] => {
  if (state.status !== 'running') return [];
  const named = new Set(state.rejections.map(keyOf));
  return command.rejections
    .filter((rejection) => !named.has(keyOf(rejection)))
    .slice(0, Math.max(0, maxNamedRejections - named.size))
    .map((rejection) => ({
      type: 'ImportEntryRejected',
      data: { importId: command.importId, ...rejection },
    }));
};

const complete = (command: CompleteImport, state: StrategyImport): readonly StrategyImportEvent[] => {
  if (state.status !== 'running') return [];
  const { importId, counts, duplicates } = command;
  return [
    {
      type: 'ImportCompleted',
      data: {
        importId,
        ...counts,
        duplicates: duplicates.slice(0, maxNamedDuplicates),
        duplicateCount: duplicates.length,
      },
    },
  ];
};

const fail = (command: FailImport, state: StrategyImport): readonly StrategyImportEvent[] => {
  if (state.status !== 'running') return [];
  const { importId, counts, code, reason } = command;
  return [{ type: 'ImportFailed', data: { importId, ...counts, code, reason } }];
};

const decide = (command: StrategyImportCommand, state: StrategyImport): readonly StrategyImportEvent[] => {
  switch (command.type) {
    case 'RequestImport':
      return request(command, state);
    case 'RejectEntries':
      return reject(command, state);
    case 'CompleteImport':
      return complete(command, state);
    case 'FailImport':
      return fail(command, state);
    default:
      return command satisfies never;
  }
};

export const strategyImportDecider: Decider<StrategyImport, StrategyImportCommand, StrategyImportEvent> = {
  initialState: newImport,
  decide,
  evolve: evolveImport,
};
