import { describe, expect, it } from '@jest/globals';
import { eventId, newId } from '@tapedeck/kernel';
import type { Snapshot } from '../event-store.ts';
import { countedEvents, newStream, type ContractContext } from './contract-context.ts';

const snapshotOf = (stream: string, values: Partial<Snapshot> = {}): Snapshot => ({
  stream,
  form: 1,
  version: 7,
  position: 12n,
  eventId: eventId(newId()),
  content: Buffer.from('{"text":"a\u0000ü"}'),
  ...values,
});

/** Finding an event by its id, and snapshots. */
export const snapshotsContract = ({ store, open }: ContractContext): void => {
  describe('an event', () => {
    it('is found by its id in its stream and in no other', async () => {
      const stream = newStream();
      const events = countedEvents(3);
      await store().append(stream, 'NO_STREAM', events);
      const [, second] = await store().readStream(stream);
      const id = eventId(events[1]?.id ?? '');
      expect(await store().findEvent(stream, id)).toEqual(second);
      expect(await store().findEvent(newStream(), id)).toBeUndefined();
      expect(await store().findEvent(stream, eventId(newId()))).toBeUndefined();
    });
  });

  describe('a snapshot', () => {
    it('is read as it was written, until another one replaces it', async () => {
      const stream = newStream();
      expect(await store().snapshots.read(stream, 1)).toBeUndefined();
      for (const snapshot of [snapshotOf(stream), snapshotOf(stream, { version: 9 }), snapshotOf(stream)]) {
        await store().snapshots.write(snapshot);
        const read = await store().snapshots.read(stream, 1);
        expect(read && { ...read, content: Buffer.from(read.content) }).toEqual(snapshot);
      }
    });

    it('of one form is not read as another, and never replaces one of a newer form', async () => {
      const stream = newStream();
      await store().snapshots.write(snapshotOf(stream, { form: 2 }));
      await store().snapshots.write(snapshotOf(stream, { form: 1, version: 100 }));
      expect(await store().snapshots.read(stream, 1)).toBeUndefined();
      expect((await store().snapshots.read(stream, 2))?.version).toBe(7);
      await store().snapshots.write(snapshotOf(stream, { form: 3 }));
      expect(await store().snapshots.read(stream, 2)).toBeUndefined();
    });

    it('is shared by all stores of the tape', async () => {
      const stream = newStream();
      await store().snapshots.write(snapshotOf(stream));
      const other = open({ Counted: { version: 1 } });
      expect((await other.snapshots.read(stream, 1))?.version).toBe(7);
      await other.close();
    });
  });
};
