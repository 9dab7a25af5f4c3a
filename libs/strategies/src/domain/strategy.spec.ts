import { describe, it } from '@jest/globals';
import { deciderSpec } from '@tapedeck/eventing/testing';
import { strategyDecider } from './decide.ts';
import { emptyRecord } from './strategy-record.ts';
import type { StrategyEvent } from './strategy.ts';

const { given } = deciderSpec(strategyDecider);
const record = { ...emptyRecord, url_id: 'S3LKflwr', title: 'Alligator', likes: 3 };
const revision = { ...record, likes: 4 };

const imported: StrategyEvent = { type: 'StrategyImported', data: { record, contentHash: 'h1' } };
const revised: StrategyEvent = { type: 'StrategyRevised', data: { record: revision, contentHash: 'h2' } };
const corrected: StrategyEvent = {
  type: 'StrategyAmended',
  data: { record: { ...record, title: 'Alligator II' }, changed: ['title'], reason: 'typing error' },
};
const withdrawn: StrategyEvent = {
  type: 'StrategyWithdrawn',
  data: { urlId: 'S3LKflwr', reason: 'wish of its author' },
};

describe('ImportStrategy', () => {
  it('imports a new strategy', () => {
    given().when({ type: 'ImportStrategy', record, contentHash: 'h1' }).then(imported);
  });

  it('does nothing for an identical record', () => {
    given(imported).when({ type: 'ImportStrategy', record, contentHash: 'h1' }).thenNothing();
  });

  it('revises a strategy that has changed', () => {
    given(imported).when({ type: 'ImportStrategy', record: revision, contentHash: 'h2' }).then(revised);
  });

  it('records a return to earlier content as a revision', () => {
    given(imported, revised)
      .when({ type: 'ImportStrategy', record, contentHash: 'h1' })
      .then({ type: 'StrategyRevised', data: { record, contentHash: 'h1' } });
  });

  it('keeps a correction while the source stays the same', () => {
    given(imported, corrected).when({ type: 'ImportStrategy', record, contentHash: 'h1' }).thenNothing();
  });

  it('replaces a correction when the source has changed', () => {
    given(imported, corrected)
      .when({ type: 'ImportStrategy', record: revision, contentHash: 'h2' })
      .then(revised);
  });

  it('rejects a strategy that was withdrawn', () => {
    given(imported, withdrawn)
      .when({ type: 'ImportStrategy', record, contentHash: 'h1' })
      .thenRefused('STRATEGY_WITHDRAWN');
  });
});

describe('AmendStrategy', () => {
  const amend = { type: 'AmendStrategy', urlId: 'S3LKflwr', reason: ' typing error ' } as const;

  it('records the corrected record and the changed fields', () => {
    given(imported)
      .when({ ...amend, changes: { title: 'Alligator II', likes: 3 } })
      .then(corrected);
  });

  it('does nothing when the record has these values already', () => {
    given(imported, corrected)
      .when({ ...amend, changes: { title: 'Alligator II' } })
      .thenNothing();
  });

  it.each([
    ['REASON_MISSING', 'without a reason', [imported], { changes: { likes: 1 }, reason: ' ' }],
    ['TITLE_MISSING', 'without a title', [imported], { changes: { title: ' ' } }],
    ['STRATEGY_NOT_FOUND', 'of a strategy that does not exist', [], { changes: { likes: 1 } }],
    ['STRATEGY_WITHDRAWN', 'of a withdrawn strategy', [imported, withdrawn], { changes: { likes: 1 } }],
  ] as const)('is refused with %s %s', (code, _, history, command) => {
    given(...history)
      .when({ ...amend, ...command })
      .thenRefused(code);
  });
});

describe('WithdrawStrategy', () => {
  const withdraw = { type: 'WithdrawStrategy', urlId: 'S3LKflwr', reason: 'wish of its author' } as const;

  it('withdraws a strategy', () => {
    given(imported).when(withdraw).then(withdrawn);
  });

  it('does nothing for a strategy that was withdrawn', () => {
    given(imported, withdrawn).when(withdraw).thenNothing();
  });

  it('is refused without a reason', () => {
    given(imported)
      .when({ ...withdraw, reason: '' })
      .thenRefused('REASON_MISSING');
  });

  it('is refused for a strategy that does not exist', () => {
    given().when(withdraw).thenRefused('STRATEGY_NOT_FOUND');
  });
});
