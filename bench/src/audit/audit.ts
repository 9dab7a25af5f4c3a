import { auditEvents } from '@tapedeck/audit/events';
import { auditProjections } from '@tapedeck/audit/projections';
import type { EventStore } from '@tapedeck/eventing';
import { createPersonalDataKeys, createPostgresEventStore } from '@tapedeck/eventing/postgres';
import { projectToEnd, startProjector } from '@tapedeck/eventing/projections';
import { favouriteEvents } from '@tapedeck/favourites/events';
import { identityEvents, sentMailEvents } from '@tapedeck/identity/events';
import { membershipEvents } from '@tapedeck/membership/events';
import { membershipProjections } from '@tapedeck/membership/projections';
import { paymentEvents } from '@tapedeck/payments/events';
import { paymentProjections } from '@tapedeck/payments/projections';
import { replayEvents } from '@tapedeck/replay/events';
import { replayProjections } from '@tapedeck/replay/projections';
import { savedSearchEvents } from '@tapedeck/saved-searches/events';
import { stripeEvents } from '@tapedeck/stripe/events';
import { stripeProjections } from '@tapedeck/stripe/projections';
import type { Pool } from 'pg';
import { freshDatabase, runCheckpoint, steadyPool } from '../databases.ts';
import { signIn } from '../http/sign-in.ts';
import { count, ms, say, table, type Claim } from '../print.ts';
import { median, percentile, timed } from '../statistics.ts';
import { inTemporaryFolder, type CleanUps } from '../temporary-folder.ts';
import { untilMade } from '../webhooks/effects.ts';
import { environmentOf, programs, startProgram, type Running } from '../webhooks/processes.ts';
import { fillTape, registerAccounts } from './audit-tape.ts';
import {
  assertWhole,
  dryRunAs,
  getAs,
  measureSearch,
  measureSize,
  movingOn,
  type Measured,
  type Search,
} from './measure.ts';
import { memberWith } from './member-events.ts';

const maxProjectMs = 1_200_000;
const aims = { pageMs: 100, accessMs: 50, coldAccessMs: 300, dryRunMs: 2_000 };
const projections = [
  ...auditProjections,
  ...membershipProjections,
  ...stripeProjections,
  ...paymentProjections,
  ...replayProjections,
];

type Sizes = Readonly<{
  others: number;
  accounts: number;
  histories: readonly number[];
  each: number;
  rounds: number;
}>;
const fullSizes: Sizes = {
  others: 1_000_000,
  accounts: 100_000,
  histories: [100, 1_000, 10_000],
  each: 5,
  rounds: 40,
};
const quickSizes: Sizes = { others: 2_000, accounts: 300, histories: [100, 300], each: 2, rounds: 3 };

const types = {
  ...auditEvents,
  ...favouriteEvents,
  ...identityEvents,
  ...sentMailEvents,
  ...membershipEvents,
  ...stripeEvents,
  ...paymentEvents,
  ...replayEvents,
  ...savedSearchEvents,
};

/** A session with the role of support. */
const signInAsSupport = async (url: string, pool: Pool): Promise<string> => {
  const email = 'support@tapedeck.example';
  const before = await signIn(url, email);
  const { id } = JSON.parse(await getAs(url, before)('/api/auth/user')) as { id: string };
  const sql = `insert into account_roles (account_id, roles, version) values ($1, '{support}', 1)`;
  await pool.query(sql, [id]);
  return signIn(url, email);
};

type Bench = Readonly<{ projectSeconds: number; measured: readonly Measured[]; search: Search }>;

const measure = async (sizes: Sizes, folder: string, cleanUps: CleanUps): Promise<Bench> => {
  const databases = {
    tapedeck: await freshDatabase('bench_audit'),
    catalogue: await freshDatabase('bench_audit_catalogue'),
  };
  const pool = steadyPool(databases.tapedeck, 8);
  cleanUps.push(() => pool.end());
  const { url, env } = await environmentOf(databases, folder, 'http://127.0.0.1:1/');
  const start = async (program: string): Promise<Running> => {
    const running = await startProgram(program, env);
    cleanUps.push(running.stop);
    return running;
  };
  await start(programs.sandbox);
  const preparing = await start(programs.projector);
  await untilMade(pool, ['audit_timeline', 'memberships', 'subscription_customers']);
  await preparing.stop();
  // It is built again, from the whole tape.
  await pool.query(`delete from projection_checkpoints where projection = 'audit_timeline'`);

  const masterKey = Buffer.from(env['PERSONAL_DATA_KEY'] ?? '', 'base64');
  const keys = createPersonalDataKeys({ pool, masterKey });
  const store: EventStore = createPostgresEventStore({ pool, types, keys });
  cleanUps.push(() => store.close());
  await registerAccounts(store, sizes.accounts);
  const members = sizes.histories.map((size) => Array.from({ length: sizes.each }, () => memberWith(size)));
  await fillTape(pool, members.flat(), sizes.others);
  const projectMs = await timed(() =>
    projectToEnd({
      store,
      projections,
      databases: { tapedeck: pool },
      timeoutMs: maxProjectMs,
    }),
  );
  await pool.query('vacuum analyze');
  await runCheckpoint();

  const api = await start(programs.api);
  const cookie = await signInAsSupport(url, pool);
  const get = getAs(url, cookie);
  const dryRun = dryRunAs(url, cookie);
  const projector = startProjector({ store, projections, databases: { tapedeck: pool } });
  cleanUps.push(() => projector.stop());
  const moveOn = movingOn(store, pool);
  // Warms the code up.
  await measureSize(get, dryRun, moveOn, members[0]?.slice(0, 1) ?? [], sizes.rounds);
  const measured: Measured[] = [];
  for (const ofSize of members) measured.push(await measureSize(get, dryRun, moveOn, ofSize, sizes.rounds));
  for (const member of members.flat()) await assertWhole(get, member);
  const search = await measureSearch(get, api, sizes);
  return { projectSeconds: projectMs / 1_000, measured, search };
};

const printResults = ({ projectSeconds, measured, search }: Bench, sizes: Sizes): void => {
  table(
    [
      'events of the member',
      'member and timeline p50',
      'p95',
      'access p50',
      'p95',
      'access first p50',
      'max',
      'dry run p50',
      'max',
    ],
    measured.map(({ size, page, access, coldAccess, dryRun }) => [
      count(size),
      ...[page, access].flatMap((values) => [0.5, 0.95].map((p) => ms(percentile(values, p)))),
      ms(median(coldAccess)),
      ms(Math.max(...coldAccess)),
      ms(median(dryRun)),
      ms(Math.max(...dryRun)),
    ]),
  );
  say(`Projected from zero in ${projectSeconds.toFixed(1)} s.`);
  say(
    `Search among ${count(sizes.accounts)} accounts: the first one ${ms(search.firstMs)} ms, later ones p95 ${ms(percentile(search.laterMs, 0.95))} ms; the process grew by ${search.memoryMb.toFixed(0)} MB.`,
  );
  say();
};

const under = (claim: string, aimMs: number, valueMs: number): Claim => ({
  claim,
  aim: `< ${aimMs} ms`,
  measured: `${ms(valueMs)} ms`,
  reached: valueMs < aimMs,
});

export const benchAudit = async (quick: boolean): Promise<readonly Claim[]> => {
  const sizes = quick ? quickSizes : fullSizes;
  say(
    `Audit: members with up to ${count(Math.max(...sizes.histories))} events, ${count(sizes.others)} events of others and ${count(sizes.accounts)} accounts on the tape.`,
  );
  say(
    'Over HTTP as one client, in milliseconds. The first access reads the history from the tape, the later ones what is new: before each one somebody else acts.',
  );
  say();
  const bench = await inTemporaryFolder((folder, cleanUps) => measure(sizes, folder, cleanUps));
  printResults(bench, sizes);
  const largest = bench.measured.at(-1);
  if (!largest) throw new Error('Nothing was measured.');
  const { size, page, access, coldAccess, dryRun } = largest;
  return [
    under(`member and timeline of ${count(size)} events, p95`, aims.pageMs, percentile(page, 0.95)),
    under(`access of ${count(size)} events, p95`, aims.accessMs, percentile(access, 0.95)),
    under(`access of ${count(size)} events, the first time`, aims.coldAccessMs, median(coldAccess)),
    under(`dry run of a replay of ${count(size)} events, the slowest`, aims.dryRunMs, Math.max(...dryRun)),
  ];
};
