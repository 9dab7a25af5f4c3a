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

describe('requesting an import', () => {
  const request = { type: 'RequestImport', importId, source } as const;

  it('begins it', () => {
    given().when(request).then(requested);
  });

  it('goes on with one that was interrupted, and repeats none that is complete', () => {
    given(requested, rejected('a.json')).when(request).thenNothing();
    given(requested, completed).when(request).thenNothing();
  });

  it('refuses another source under the same id', () => {
    const other: ImportSource = { ...source, sha256: 'bb' };
    given(requested)
      .when({ ...request, source: other })
      .thenRefused('IMPORT_ID_REUSED');
    given(requested)
      .when({ ...request, source: { kind: 'records', name: 'all.zip' } })
      .thenRefused('IMPORT_ID_REUSED');
  });

  it('does not revive one that has failed', () => {
    given(requested, failed).when(request).thenRefused('IMPORT_ENDED');
  });
});

describe('rejecting entries', () => {
  const reject = (...entries: string[]) =>
    ({ type: 'RejectEntries', importId, rejections: entries.map(rejection) }) as const;

  it('names each once', () => {
    given(requested, rejected('a.json')).when(reject('a.json', 'b.json')).then(rejected('b.json'));
  });

  it('names only so many', () => {
    const many = Array.from({ length: maxNamedRejections + 5 }, (_, index) => `${index}.json`);
    given(requested)
      .when(reject(...many))
      .then(...many.slice(0, maxNamedRejections).map(rejected));
    given(requested, ...many.slice(0, maxNamedRejections).map(rejected))
      .when(reject('late.json'))
      .thenNothing();
  });

  it('is over when the import is', () => {
    given(requested, completed).when(reject('b.json')).thenNothing();
    given(requested, failed).when(reject('b.json')).thenNothing();
    given().when(reject('b.json')).thenNothing();
  });
});

describe('ending an import', () => {
  it('completes it once', () => {
    const complete = { type: 'CompleteImport', importId, counts, duplicates: [] } as const;
    given(requested).when(complete).then(completed);
    given(requested, completed).when(complete).thenNothing();
    given(requested, failed).when(complete).thenNothing();
  });

  it('names only so many duplicates, and counts all', () => {
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

  it('fails it once', () => {
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
