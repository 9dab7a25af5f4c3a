import type { Decider } from '@tapedeck/eventing';
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

type Of = Readonly<{ importId: string }>;

export type RequestImport = Readonly<{ type: 'RequestImport' }> & Of & Readonly<{ source: ImportSource }>;
export type RejectEntries = Readonly<{ type: 'RejectEntries' }> &
  Of &
  Readonly<{ rejections: readonly Rejection[] }>;
export type CompleteImport = Readonly<{ type: 'CompleteImport' }> &
  Of &
  Readonly<{ counts: ImportCounts; duplicates: readonly Duplicate[] }>;
export type FailImport = Readonly<{ type: 'FailImport' }> &
  Of &
  Readonly<{ counts: ImportCounts; code: string; reason: string }>;
export type StrategyImportCommand = RequestImport | RejectEntries | CompleteImport | FailImport;

/** An import of a hundred thousand broken entries is counted in full, but named only so far. */
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
      `Import ${importId} was begun with "${state.source.name}": give another file an id of its own.`,
    );
  }
  if (state.status !== 'failed') return [];
  throw new DomainError(
    'conflict',
    'IMPORT_ENDED',
    `Import ${importId} has ended (${state.outcome.reason}): begin again under a new id.`,
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
