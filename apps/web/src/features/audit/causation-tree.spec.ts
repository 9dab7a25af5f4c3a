import { describe, expect, it } from '@jest/globals';
import type { EventSummary } from '@tapedeck/audit/contract';
import { causationTree } from './causation-tree.ts';

const event = (id: string, causationId: string): EventSummary => ({
  id,
  causationId,
  position: id,
  stream: 's',
  version: 1,
  type: 'T',
  lane: 'payment',
  text: '',
  actorKind: 'system',
  actorId: 'system',
  actorName: null,
  correlationId: 'c',
  occurredAt: '',
  recordedAt: '',
  parts: [],
  reason: null,
  isFailure: false,
  stripeUrl: null,
});

const shown = (events: readonly EventSummary[]): readonly string[] =>
  causationTree(events).map(({ event: { id }, depth }) => `${'-'.repeat(depth)}${id}`);

describe('the events of a correlation', () => {
  it('are below their causes, in order of the tape', () => {
    expect(
      shown([
        event('1', 'request'),
        event('2', '1'),
        event('3', '1'),
        event('4', '2'),
        event('5', 'request'),
      ]),
    ).toEqual(['1', '-2', '--4', '-3', '5']);
  });

  it('are all shown, also those whose cause is not among them', () => {
    expect(shown([event('2', 'unknown'), event('3', '2')])).toEqual(['2', '-3']);
    expect(shown([])).toEqual([]);
  });
});
