import { describe, it } from '@jest/globals';
import { deciderSpec } from '@tapedeck/eventing/testing';
import { maxNamedDuplicates, maxNamedRejections, strategyImportDecider } from './decide-import.ts';
import type { ImportSource, Rejection, StrategyImportEvent } from './strategy-import.ts';

const { given } = deciderSpec(strategyImportDecider);
const importId = '5a0d6d6e-6c55-5c38-9c1e-0d8a3f5b7a11';
const source: ImportSource = { kind: 'archive', name: 'all.zip', sha256: 'aa', size: 10 };
const counts = { added: 2, revised: 0, unchanged: 1, rejected: 1 };

const rejection = (entry: string): Rejection => ({
  entry,
  urlId: null,
  code: 'NOT_JSON',
  reason: 'No JSON.',
});
const requested: StrategyImportEvent = { type: 'ImportRequested', data: { importId, source } };
const rejected = (entry: string): StrategyImportEvent => ({
  type: 'ImportEntryRejected',
  data: { importId, ...rejection(entry) },
});
const completed: StrategyImportEvent = {
  type: 'ImportCompleted',
  data: { importId, ...counts, duplicates: [], duplicateCount: 0 },
};
const failed: StrategyImportEvent = {
  type: 'ImportFailed',
  data: { importId, ...counts, code: 'CANCELLED', reason: 'It was cancelled.' },
};

describe('RequestImport', () => {
  const request = { type: 'RequestImport', importId, source } as const;

  it('starts the import', () => {
    given().when(request).then(requested);
  });

  it('does nothing for an import that is running or complete', () => {
    given(requested, rejected('a.json')).when(request).thenNothing();
    given(requested, completed).when(request).thenNothing();
  });

  it('rejects another source under the same id', () => {
    const other: ImportSource = { ...source, sha256: 'bb' };
    given(requested)
      .when({ ...request, source: other })
      .thenRefused('IMPORT_ID_REUSED');
    given(requested)
      .when({ ...request, source: { kind: 'records', name: 'all.zip' } })
      .thenRefused('IMPORT_ID_REUSED');
  });

  it('rejects an import that has failed', () => {
    given(requested, failed).when(request).thenRefused('IMPORT_ENDED');
  });
});

describe('RejectEntries', () => {
  const reject = (...entries: string[]) =>
    ({ type: 'RejectEntries', importId, rejections: entries.map(rejection) }) as const;

  it('names each entry once', () => {
    given(requested, rejected('a.json')).when(reject('a.json', 'b.json')).then(rejected('b.json'));
  });

  it('names entries up to a maximum', () => {
    const many = Array.from({ length: maxNamedRejections + 5 }, (_, index) => `${index}.json`);
    given(requested)
      .when(reject(...many))
      .then(...many.slice(0, maxNamedRejections).map(rejected));
    given(requested, ...many.slice(0, maxNamedRejections).map(rejected))
      .when(reject('late.json'))
      .thenNothing();
  });

  it('does nothing unless the import is running', () => {
    given(requested, completed).when(reject('b.json')).thenNothing();
    given(requested, failed).when(reject('b.json')).thenNothing();
    given().when(reject('b.json')).thenNothing();
  });
});

describe('CompleteImport and FailImport', () => {
  it('complete the import once', () => {
    const complete = { type: 'CompleteImport', importId, counts, duplicates: [] } as const;
    given(requested).when(complete).then(completed);
    given(requested, completed).when(complete).thenNothing();
    given(requested, failed).when(complete).thenNothing();
  });

  it('name duplicates up to a maximum and count all', () => {
    const duplicates = Array.from({ length: maxNamedDuplicates + 3 }, (_, index) => ({
      urlId: `dup${index}`,
      kept: 'b.json',
      dropped: ['a.json'],
    }));
    given(requested)
      .when({ type: 'CompleteImport', importId, counts, duplicates })
      .then({
        type: 'ImportCompleted',
        data: {
          importId,
          ...counts,
          duplicates: duplicates.slice(0, maxNamedDuplicates),
          duplicateCount: duplicates.length,
        },
      });
  });

  it('fail the import once', () => {
    const fail = {
      type: 'FailImport',
      importId,
      counts,
      code: 'CANCELLED',
      reason: 'It was cancelled.',
    } as const;
    given(requested).when(fail).then(failed);
    given(requested, failed).when(fail).thenNothing();
    given(requested, completed).when(fail).thenNothing();
  });
});
