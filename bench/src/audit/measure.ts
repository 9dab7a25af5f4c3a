import { readFile } from 'node:fs/promises';
import { auditRoutes } from '@tapedeck/audit/contract';
import type { EventStore } from '@tapedeck/eventing';
import { waitForPosition } from '@tapedeck/eventing/projections';
import { favouritesStream } from '@tapedeck/favourites/events';
import { accountId, eventId, newId } from '@tapedeck/kernel';
import { replayRoutes } from '@tapedeck/replay/contract';
import type { Pool } from 'pg';
import { timed } from '../statistics.ts';
import type { Running } from '../webhooks/processes.ts';
import type { BenchMember } from './member-events.ts';

const maxWaitMs = 60_000;
const maxAdded = 4;

export type Get = (path: string) => Promise<string>;

/** Puts an event of somebody else on the tape, and waits until the timeline has it. */
export type MoveOn = () => Promise<void>;

export const getAs =
  (url: string, cookie: string): Get =>
  async (path) => {
    const answer = await fetch(`${url}${path}`, { headers: { cookie } });
    const text = await answer.text();
    if (answer.status === 200) return text;
    throw new Error(`${path} was answered with ${answer.status}: ${text}`);
  };

export type DryRun = (accountId: string) => Promise<Readonly<{ failures: readonly unknown[] }>>;

/** Derives everything of a member again, and compares it with what the product shows. */
export const dryRunAs =
  (url: string, cookie: string): DryRun =>
  async (accountId) => {
    const answer = await fetch(`${url}${replayRoutes.replays}`, {
      method: 'POST',
      headers: { cookie, origin: url, 'content-type': 'application/json' },
      body: JSON.stringify({ mode: 'rebuild', target: { kind: 'member', accountId } }),
    });
    const text = await answer.text();
    if (answer.status === 201) return JSON.parse(text) as Awaited<ReturnType<DryRun>>;
    throw new Error(`A dry run was answered with ${answer.status}: ${text}`);
  };

/** Of one size of history, in milliseconds. */
export type Measured = Readonly<{
  size: number;
  dryRun: readonly number[];
  coldAccess: readonly number[];
  page: readonly number[];
  access: readonly number[];
}>;

const openMember = async (get: Get, { accountId }: BenchMember): Promise<void> => {
  await Promise.all([get(auditRoutes.member(accountId)), get(auditRoutes.timeline(accountId))]);
};

export const measureSize = async (
  get: Get,
  dryRun: DryRun,
  moveOn: MoveOn,
  members: readonly BenchMember[],
  rounds: number,
): Promise<Measured> => {
  const coldAccess: number[] = [];
  for (const { accountId } of members) {
    coldAccess.push(await timed(() => get(auditRoutes.access(accountId))));
  }
  const page: number[] = [];
  const access: number[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const member of members) {
      page.push(await timed(() => openMember(get, member)));
      await moveOn();
      access.push(await timed(() => get(auditRoutes.access(member.accountId))));
    }
  }
  const dryRuns: number[] = [];
  for (const { accountId } of members) dryRuns.push(await timed(() => dryRun(accountId)));
  return { size: members[0]?.size ?? 0, dryRun: dryRuns, coldAccess, page, access };
};

/** Throws unless the history has as many events as were written. */
export const assertWhole = async (get: Get, { accountId, events }: BenchMember): Promise<void> => {
  const member = JSON.parse(await get(auditRoutes.member(accountId))) as { events: number };
  const access = JSON.parse(await get(auditRoutes.access(accountId))) as { chain: readonly unknown[] };
  // The reading itself is one more, and so is each dry run.
  const added = member.events - events.length;
  const isWhole = added >= 0 && added <= maxAdded;
  if (isWhole && access.chain.length > 0) return;
  throw new Error(
    `The member has ${events.length} events, of which ${member.events} are shown: the results are invalid.`,
  );
};

const memoryMb = async ({ processId }: Running): Promise<number> => {
  const status = await readFile(`/proc/${processId}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(?<kb>\d+)/u.exec(status)?.groups?.['kb'] ?? Number.NaN) / 1_024;
};

export type Search = Readonly<{ firstMs: number; laterMs: readonly number[]; memoryMb: number }>;

export const measureSearch = async (
  get: Get,
  api: Running,
  { accounts, rounds }: Readonly<{ accounts: number; rounds: number }>,
): Promise<Search> => {
  const before = await memoryMb(api);
  const find = (text: string): Promise<string> => get(`${auditRoutes.find}?q=${encodeURIComponent(text)}`);
  const firstMs = await timed(() => find('person.1@example.com'));
  const laterMs: number[] = [];
  for (let at = 0; at < rounds; at++) {
    laterMs.push(await timed(() => find(`last${(at * 7_919) % accounts}`)));
  }
  return { firstMs, laterMs, memoryMb: (await memoryMb(api)) - before };
};

export const movingOn = (store: EventStore, pool: Pool): MoveOn => {
  const account = accountId(newId());
  const metadata = { actorId: account, actorKind: 'member', occurredAt: '2026-11-22T12:00:00.000Z' };
  return async () => {
    const result = await store.append(favouritesStream(account), 'ANY', [
      {
        id: eventId(newId()),
        type: 'FavouriteRemoved',
        schemaVersion: 1,
        data: { accountId: account, urlId: 'st1', revision: 1 },
        metadata: { ...metadata, correlationId: 'bench', causationId: 'bench' },
      },
    ]);
    if (result.outcome === 'conflict') throw new Error('An event was not appended.');
    await waitForPosition(pool, 'audit_timeline', result.position, maxWaitMs);
  };
};
