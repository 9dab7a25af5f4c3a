import { createHash } from 'node:crypto';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, sampleEvent } from '@tapedeck/eventing/testing';
import { favouritesStream } from '@tapedeck/favourites/events';
import type { AccountId } from '@tapedeck/kernel';
import { readCsv } from '@tapedeck/kernel/testing';
import { asAccount, asRoles } from '@tapedeck/platform/testing';
import { auditRoutes } from './contract.ts';
import { auditStream } from './domain/audit.ts';
import { startAuditApi, supporter, type AuditApi } from './testing/audit-api.ts';

let api: AuditApi;
beforeAll(async () => {
  api = await startAuditApi();
});
afterAll(() => api.close());

describe('an export', () => {
  const exported = (member: AccountId, query: string) =>
    api.call('GET', `${auditRoutes.export(member)}?${query}`);
  const addMany = async (member: AccountId, rows: number, causationId: string): Promise<void> => {
    const { metadata } = sampleEvent('FavouriteRemoved');
    const events = Array.from({ length: rows }, (_, at) => ({
      ...sampleEvent('FavouriteRemoved', { accountId: member, urlId: `=S${at}`, revision: at }),
      metadata: { ...metadata, causationId },
    }));
    await api.store.append(favouritesStream(member), 'NO_STREAM', events);
    await api.project();
  };
  const recorded = async (member: AccountId): Promise<unknown> =>
    (await api.store.readStream(auditStream(member))).at(-1)?.data;

  it('has all rows of the filter in pages, and what has left is on the tape with its hash', async () => {
    const member = await api.register('export@member.example');
    const rows = 1_203;
    await addMany(member, rows, '=cmd()');
    const file = await exported(member, 'format=jsonl&lanes=account&types=FavouriteRemoved');
    expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="member-.*\.jsonl"$/);
    expect(file.headers.get('cache-control')).toBe('no-store');
    expect(file.text.trimEnd().split('\n')).toHaveLength(rows);
    expect(await recorded(member)).toEqual({
      accountId: member,
      format: 'jsonl',
      filter: 'lanes=account&types=FavouriteRemoved',
      events: rows,
      sha256: createHash('sha256').update(file.text).digest('hex'),
    });
    const csv = await exported(member, 'format=csv&types=FavouriteRemoved');
    const lines = readCsv(csv.text);
    expect(lines).toHaveLength(rows + 1);
    expect(lines.flat().filter((cell) => /^[=+\-@]/u.test(cell))).toEqual([]);
  });

  it('is recorded as far as it went when the client leaves, and reads no further', async () => {
    const member = await api.register('leaves@member.example');
    const rows = 3_000;
    await addMany(member, rows, 'x'.repeat(2_000));
    const headers = { [asAccount]: supporter, [asRoles]: 'support' };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      httpGet(`${api.url}${auditRoutes.export(member)}?format=jsonl`, { headers }, resolve).once(
        'error',
        reject,
      );
    });
    response.once('error', () => undefined);
    response.destroy();
    await eventually(async () => expect(await recorded(member)).toMatchObject({ format: 'jsonl' }));
    const { events, sha256 } = (await recorded(member)) as { events: number; sha256: string };
    expect(events).toBeLessThan(rows);
    const whole = await exported(member, 'format=jsonl&types=FavouriteRemoved,AccountRegistered');
    const sent = whole.text.split('\n').slice(0, events);
    const text = sent.map((line) => `${line}\n`).join('');
    expect(createHash('sha256').update(text).digest('hex')).toBe(sha256);
  });
});
