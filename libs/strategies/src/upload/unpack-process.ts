// Unpacks one archive for the process that started it, which asks for one batch after the other.
import { serialize } from 'node:v8';
import { DomainError, messageOf } from '@tapedeck/kernel';
import { archiveItems } from '../import/archive-items.ts';
import type { UnpackAnswer } from './unpack-answer.ts';

const maxBatchItems = 128;
const maxBatchBytes = 2_000_000;

const path = process.argv[2] ?? '';
const { items, total } = archiveItems(path);
const iterator = items()[Symbol.asyncIterator]();

const nextBatch = async (): Promise<UnpackAnswer> => {
  const batch: Buffer[] = [];
  let bytes = 0;
  while (batch.length < maxBatchItems && bytes < maxBatchBytes) {
    const { done, value } = await iterator.next();
    if (done) return { items: batch, total: total(), isLast: true };
    const item = serialize(value);
    batch.push(item);
    bytes += item.length;
  }
  return { items: batch, total: total(), isLast: false };
};

const failure = (error: unknown): UnpackAnswer =>
  error instanceof DomainError
    ? { error: { kind: error.kind, code: error.code, message: error.message } }
    : { error: { kind: 'unavailable', code: 'UNPACKING_FAILED', message: messageOf(error) } };

const answer = async (): Promise<void> => {
  process.send?.(await nextBatch().catch(failure));
};

process.on('message', () => void answer());
process.once('disconnect', () => process.exit());
