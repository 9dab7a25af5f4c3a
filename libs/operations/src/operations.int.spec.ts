import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dumpReadModel, rebuildInto } from '@tapedeck/eventing/projections';
import { eventually, sampleEvent } from '@tapedeck/eventing/testing';
import { newId } from '@tapedeck/kernel';
import {
  ChangeRequested,
  IgnoredPage,
  operationsRoutes as routes,
  ParkedPage,
  ProjectionsPage,
  Retried,
  TapeFigures,
  type ParkedEvent,
  type Consumer,
} from './contract.ts';
import { operationsStream, reasonSubject } from './domain/operations.ts';
import { admin, notes, startOperationsApi, type OperationsApi } from './testing/operations-api.ts';

let api: OperationsApi;
beforeAll(async () => {
  api = await startOperationsApi();
});
afterAll(() => api.close());

const consumer = async (name: string): Promise<Consumer | undefined> =>
  ProjectionsPage.parse((await api.call('GET', routes.projections)).body).consumers.find(
    (one) => one.name === name,
  );
const parked = async (query = '', role = 'admin'): Promise<readonly ParkedEvent[]> =>
  ParkedPage.parse((await api.call('GET', `${routes.parked}${query}`, undefined, role)).body).events;
const ignored = async (): Promise<IgnoredPage['events']> =>
  IgnoredPage.parse((await api.call('GET', routes.ignored)).body).events;
const rows = async (stream: string): Promise<readonly unknown[]> =>
  (await api.databases.catalogue.query('select n, text from notes where stream = $1 order by n', [stream]))
    .rows;
const asNoted = (...ns: readonly number[]): readonly unknown[] => ns.map((n) => ({ n, text: 'as noted' }));
const changeEnds = (state: string): Promise<void> =>
  eventually(async () => expect((await consumer('notes'))?.change?.state).toBe(state));
const typesOf = async (name: string): Promise<readonly string[]> =>
  (await api.store.readStream(operationsStream(name))).map(({ type }) => type);
const expectFromZero = async (): Promise<void> => {
  await rebuildInto({ store: api.store, projection: notes, pool: api.databases.catalogue });
  expect(await dumpReadModel(api.databases.catalogue, notes)).toBe(
    await dumpReadModel(api.databases.catalogue, notes, '_check'),
  );
};

describe('the page of projections', () => {
  it('rebuilds a read model once for two admins, and rolls it back and forward with what came meanwhile', async () => {
    await api.note('a', { n: 1 }, { n: 2 });
    await api.projected();
    await api.databases.catalogue.query(`update notes_v1 set text = 'changed by hand'`);
    expect((await api.call('POST', routes.rollBack('notes'), { reason: 'Nothing there' })).status).toBe(409);
    const rebuild = { reason: 'Rows were changed by hand' };
    // The builds cannot be swapped while somebody reads.
    const reader = await api.databases.catalogue.connect();
    await reader.query('begin; select from notes');
    const both = await Promise.all([1, 2].map(() => api.call('POST', routes.rebuild('notes'), rebuild)));
    expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([202, 409]);
    await reader.query('commit');
    reader.release();
    await changeEnds('completed');
    expect(await rows('a')).toEqual(asNoted(1, 2));
    await expectFromZero();
    await api.note('a', { n: 3 });
    await api.projected();
    expect((await consumer('notes'))?.standby).toMatchObject({ retiredAt: expect.any(String) });
    expect((await api.call('POST', routes.rollBack('notes'), { reason: 'Compare' })).status).toBe(202);
    await eventually(async () => expect(await typesOf('notes')).toContain('RolledBack'));
    expect(await rows('a')).toEqual([
      { n: 1, text: 'changed by hand' },
      { n: 2, text: 'changed by hand' },
      ...asNoted(3),
    ]);
    await api.note('a', { n: 4 });
    expect((await api.call('POST', routes.rollBack('notes'), { reason: 'Forward again' })).status).toBe(202);
    await eventually(async () => expect(await rows('a')).toEqual(asNoted(1, 2, 3, 4)));
    await expectFromZero();
    await api.projected();
    await changeEnds('completed');
    expect((await consumer('notes'))?.change).toMatchObject({
      kind: 'roll-back',
      reason: 'Forward again',
      requestedBy: admin,
    });
    expect(await typesOf('notes')).toEqual([
      'RebuildRequested',
      'RebuildStarted',
      'RebuildCompleted',
      'RollBackRequested',
      'RolledBack',
      'RollBackRequested',
      'RolledBack',
    ]);
  });

  it('cancels a rebuild once for two admins, and begins another one', async () => {
    const before = await typesOf('notes');
    // The builds cannot be swapped while somebody reads.
    const reader = await api.databases.catalogue.connect();
    await reader.query('begin; select from notes');
    const { body } = await api.call('POST', routes.rebuild('notes'), { reason: 'The wrong one' });
    const { requestId } = ChangeRequested.parse(body);
    await changeEnds('running');
    const cancel = (id: string) => api.call('POST', routes.cancel('notes'), { requestId: id });
    expect((await cancel(newId())).status).toBe(409);
    expect((await Promise.all([cancel(requestId), cancel(requestId)])).map(({ status }) => status)).toContain(
      202,
    );
    await changeEnds('cancelled');
    expect((await consumer('notes'))?.change).toMatchObject({ cancelledBy: admin, error: null });
    await reader.query('commit');
    reader.release();
    expect((await cancel(requestId)).body).toMatchObject({ code: 'NO_CHANGE_UNDER_WAY' });
    const again = { reason: 'The right one' };
    expect((await api.call('POST', routes.rebuild('notes'), again)).status).toBe(202);
    await changeEnds('completed');
    expect((await typesOf('notes')).slice(before.length)).toEqual([
      'RebuildRequested',
      'RebuildStarted',
      'ChangeCancelRequested',
      'ChangeCancelled',
      'RebuildRequested',
      'RebuildStarted',
      'RebuildCompleted',
    ]);
    await expectFromZero();
  });

  it('shows what the tape contains by day and module, and who projects what', async () => {
    await api.note('b', { n: 1 });
    await api.projected();
    const { rows: counted } = await api.databases.tapedeck.query(
      'select count(*)::int as events from tape_events',
    );
    await eventually(async () => {
      const tape = TapeFigures.parse((await api.call('GET', routes.tape)).body);
      expect(tape.events).toBe(counted[0]?.events);
      expect(tape.days).toHaveLength(30);
      expect(Object.values(tape.days.at(-1)?.events ?? {}).reduce((a, b) => a + b, 0)).toBe(tape.events);
      expect(tape.categories.toSorted()).toEqual(['notes', 'operations']);
      expect(tape.newest?.type).toBe('Noted');
      expect(tape.bytes).toBeGreaterThan(0);
      expect(tape.index).toBeNull();
    });
    const found = await consumer('notes');
    expect(found).toMatchObject({ database: 'catalogue', version: 1, lagEvents: 0, parked: 0 });
    expect(found?.lease).toMatchObject({ pid: String(process.pid) });
    expect(found?.eventsRead).toBeGreaterThan(0);
    expect(await consumer('calls')).toMatchObject({ kind: 'effect' });
  });

  it('is for admins, and refuses what is not there', async () => {
    expect((await api.call('GET', routes.projections, undefined, 'support')).status).toBe(403);
    expect((await api.call('POST', routes.rebuild('notes'), { reason: 'No role' }, 'support')).status).toBe(
      403,
    );
    expect((await api.call('POST', routes.rebuild('nothing'), { reason: 'Nothing' })).status).toBe(404);
    expect((await api.call('POST', routes.rebuild('notes'), { reason: ' ' })).status).toBe(400);
  });
});

describe('the board of parked events', () => {
  it('has an event ignored with a reason by two people at once, and the later ones handled', async () => {
    await api.note('c', { n: 1 }, { n: 2, bad: true }, { n: 3 });
    await api.projected();
    await eventually(async () => expect(await parked()).toHaveLength(4));
    const [first, second] = (await parked('?consumer=notes')).map((event) => event);
    expect(first).toMatchObject({ state: 'parked', type: 'Noted', group: 'cannot fold note # of "…"' });
    expect(second).toMatchObject({ state: 'behind', behind: first?.position });
    expect((await parked('', 'support')).map((event) => event.consumer)).toEqual(['calls', 'calls']);
    const ignore = { consumer: 'notes', position: first?.position, reason: 'Written by a defect' };
    expect((await api.call('POST', routes.ignore, ignore, 'support')).status).toBe(409);
    const behind = { ...ignore, position: second?.position };
    expect((await api.call('POST', routes.ignore, behind)).status).toBe(409);
    const both = await Promise.all([1, 2].map(() => api.call('POST', routes.ignore, ignore)));
    expect(both.map(({ status }) => status)).toEqual([204, 204]);
    await eventually(async () => expect(await rows('c')).toEqual(asNoted(1, 3)));
    const call = await parked('?consumer=calls&state=parked');
    await api.call(
      'POST',
      routes.ignore,
      { ...ignore, consumer: 'calls', position: call[0]?.position },
      'support',
    );
    await eventually(() => expect(api.caller.calls).toContain('c 3'));
    await api.projected();
    await eventually(async () => expect(await parked()).toEqual([]));
    expect(await ignored()).toMatchObject([
      { consumer: 'calls', reason: 'Written by a defect', ignoredBy: admin },
      { consumer: 'notes', position: first?.position, group: 'cannot fold note # of "…"' },
    ]);
    expect((await typesOf('notes')).filter((type) => type === 'ParkedEventIgnored')).toHaveLength(1);
  });

  it('restores an ignored event, in a read model by a rebuild, and says when that fails', async () => {
    api.caller.isBroken = false;
    const [call, note] = await ignored();
    const restore = (of: typeof call): unknown => ({
      consumer: of?.consumer,
      position: of?.position,
      reason: 'It was right',
    });
    expect((await api.call('POST', routes.restore, restore(note), 'support')).status).toBe(403);
    expect((await api.call('POST', routes.restore, restore(call), 'support')).status).toBe(204);
    await eventually(() => expect(api.caller.calls).toContain('c 2'));
    expect((await api.call('POST', routes.restore, restore(note))).status).toBe(204);
    await changeEnds('failed');
    expect((await consumer('notes'))?.change?.error).toContain('2 parked events');
    expect(await rows('c')).toEqual(asNoted(1, 3));
    await api.projected();
    expect(await ignored()).toEqual([]);
    expect((await api.call('POST', routes.restore, restore(call))).status).toBe(409);
  });

  it('does not list an event as ignored that was handled before the projector got to it', async () => {
    const position = String(await api.note('handled', { n: 1 }));
    const content = { key: 'handled', stream: 'handled', eventType: 'Noted', group: 'late' };
    const reasoned = { reason: 'Too late', personalSubject: reasonSubject(position) };
    for (const [consumer, kind] of [
      ['calls', 'reaction'],
      ['notes', 'projection'],
    ] as const) {
      const ignoredNow = { subscriber: consumer, position, kind, ...content, ...reasoned };
      await api.store.append(operationsStream(consumer), 'ANY', [
        sampleEvent('ParkedEventIgnored', ignoredNow),
      ]);
      await eventually(async () => expect(await typesOf(consumer)).toContain('IgnoreMissed'));
    }
    await api.projected();
    expect((await ignored()).map((event) => event.position)).not.toContain(position);
    expect(await rows('handled')).toEqual(asNoted(1));
  });

  it('retries all events of one error, whatever their ids, and nothing that was handled meanwhile', async () => {
    api.caller.isBroken = true;
    for (const stream of ['d', 'e', 'f']) await api.note(stream, { n: stream.length, bad: true });
    await eventually(async () => expect(await parked('?consumer=calls')).toHaveLength(3));
    const { groups } = ParkedPage.parse((await api.call('GET', routes.parked)).body);
    expect(groups.filter((group) => group.consumer === 'calls')).toMatchObject([
      { group: 'NOT_CALLED: No answer to # of #.', events: 3, state: 'parked' },
    ]);
    api.caller.isBroken = false;
    const group = { consumer: 'calls', group: groups.find((one) => one.consumer === 'calls')?.group };
    const answers = await Promise.all([1, 2].map(() => api.call('POST', routes.retry, group, 'support')));
    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    await eventually(async () => expect(await parked('?consumer=calls')).toEqual([]));
    expect(api.caller.calls.filter((call) => /^[def] /.test(call)).sort()).toEqual(['d 1', 'e 1', 'f 1']);
    expect(Retried.parse((await api.call('POST', routes.retry, group)).body)).toEqual({ events: 0 });
    const notes = await parked('?consumer=notes&state=parked');
    const one = { consumer: 'notes', position: notes[0]?.position };
    expect((await api.call('POST', routes.retry, one, 'support')).body).toEqual({ events: 0 });
    expect((await api.call('POST', routes.retry, one)).body).toEqual({ events: 1 });
    const attempts = async (): Promise<readonly number[]> =>
      (await parked('?consumer=notes&state=parked')).map((event) => event.attempts);
    await eventually(async () => expect(await attempts()).toEqual([2, ...notes.slice(1).map(() => 1)]));
    expect((await api.call('GET', routes.parked, undefined, 'member')).status).toBe(403);
  });
});
