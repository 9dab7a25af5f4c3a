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

  it('does nothing for an import that is running', () =>
    given(requested, rejected('a.json')).when(request).thenNothing());

  it('does nothing for an import that is complete', () =>
    given(requested, completed).when(request).thenNothing());

  it('rejects another file under the same id', () =>
    given(requested)
      .when({ ...request, source: { ...source, sha256: 'bb' } })
      .thenRefused('IMPORT_ID_REUSED'));

  it('rejects another kind of source under the same id', () =>
    given(requested)
      .when({ ...request, source: { kind: 'records', name: 'all.zip' } })
      .thenRefused('IMPORT_ID_REUSED'));

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

  const many = Array.from({ length: maxNamedRejections + 5 }, (_, index) => `${index}.json`);
  const named = many.slice(0, maxNamedRejections).map(rejected);

  it('names entries up to a maximum', () =>
    given(requested)
      .when(reject(...many))
      .then(...named));

  it('names no further entry after the maximum', () =>
    given(requested, ...named)
      .when(reject('late.json'))
      .thenNothing());

  it.each([
    ['is complete', [requested, completed]],
    ['has failed', [requested, failed]],
    ['was not requested', []],
  ])('does nothing when the import %s', (_, history) =>
    given(...history)
      .when(reject('b.json'))
      .thenNothing(),
  );
});

describe('CompleteImport and FailImport', () => {
  const complete = { type: 'CompleteImport', importId, counts, duplicates: [] } as const;
  const fail = {
    type: 'FailImport',
    importId,
    counts,
    code: 'CANCELLED',
    reason: 'It was cancelled.',
  } as const;

  it('complete the import', () => given(requested).when(complete).then(completed));
  it('complete the import once', () => given(requested, completed).when(complete).thenNothing());
  it('do not complete an import that has failed', () =>
    given(requested, failed).when(complete).thenNothing());

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

  it('fail the import', () => given(requested).when(fail).then(failed));
  it('fail the import once', () => given(requested, failed).when(fail).thenNothing());
  it('do not fail an import that is complete', () => given(requested, completed).when(fail).thenNothing());
});
