import { count, ms, table, type Claim } from '../print.ts';
import { median, percentile } from '../statistics.ts';
import { sumOfCpuTimes, type CpuTimes } from './cpu-time.ts';
import type { Sent } from './send-webhooks.ts';

const aims = { acceptedPerSecond: 1_000, acceptedMs: 100, effectsPerSecond: 1_000, commandMs: 100 };

type Measurement = Sent & Readonly<{ cpu: CpuTimes }>;

/** The same webhooks, in turn to the product and to the peer. */
export type Round = Readonly<{ ours: Measurement; theirs: Measurement }>;

export type Measured = Readonly<{
  events: number;
  rounds: readonly Round[];
  /** Sent while the projector works off all events. */
  meanwhile: Sent;
  effectsMs: number;
  workedOffCpu: CpuTimes;
  commandsInPeace: readonly number[];
  commandsMeanwhile: readonly number[];
}>;

const perSecond = ({ latenciesMs, elapsedMs }: Sent): number => (latenciesMs.length * 1_000) / elapsedMs;

const participants = ['server', 'projector', 'PostgreSQL', 'stand-in', 'generator'] as const;

/** Of all processes that have a part in it: what other programs on the machine do is not in these figures. */
const printCpuTimes = ({ rounds, events, workedOffCpu }: Measured): void => {
  const rowOf = (name: string, cpu: CpuTimes, webhooks: number): readonly string[] => {
    const each = participants.map((participant) => (cpu[participant] ?? 0) / webhooks);
    return [name, ...[...each, each.reduce((sum, one) => sum + one, 0)].map((one) => one.toFixed(2))];
  };
  const accepted = (name: string, measurements: readonly Measurement[]): readonly string[] => {
    const webhooks = measurements.reduce((sum, { latenciesMs }) => sum + latenciesMs.length, 0);
    return rowOf(name, sumOfCpuTimes(measurements.map(({ cpu }) => cpu)), webhooks);
  };
  table(
    ['ms of CPU for each webhook', ...participants, 'together'],
    [
      accepted(
        'accepted',
        rounds.map(({ ours }) => ours),
      ),
      accepted(
        '… signature and one insert',
        rounds.map(({ theirs }) => theirs),
      ),
      rowOf('worked off (half of them accepted meanwhile)', workedOffCpu, events),
    ],
  );
};

const latencies = (values: readonly number[]): readonly string[] =>
  [0.5, 0.99, 1].map((p) => ms(percentile(values, p)));

export const printResults = (measured: Measured): void => {
  const { rounds, meanwhile, commandsInPeace, commandsMeanwhile } = measured;
  const rowOf = (name: string, sent: readonly Sent[]): readonly string[] => [
    name,
    count(sent.reduce((sum, each) => sum + each.latenciesMs.length, 0)),
    count(median(sent.map(perSecond))),
    ...latencies(sent.flatMap((each) => each.latenciesMs)),
  ];
  const rowOfCommands = (name: string, values: readonly number[]): readonly string[] => [
    name,
    count(values.length),
    '',
    ...latencies(values),
  ];
  table(
    ['requests', 'answered', 'per s', 'p50 ms', 'p99 ms', 'max ms'],
    [
      rowOf(
        'webhooks, ours',
        rounds.map(({ ours }) => ours),
      ),
      rowOf(
        '… signature and one insert',
        rounds.map(({ theirs }) => theirs),
      ),
      rowOf('… ours, while all of them are worked off', [meanwhile]),
      rowOfCommands('checkouts begun, without webhooks', commandsInPeace),
      rowOfCommands('… while webhooks are worked off', commandsMeanwhile),
    ],
  );
  printCpuTimes(measured);
};

const atMost = (claim: string, values: readonly number[], aimMs: number): Claim => {
  const p99 = percentile(values, 0.99);
  return { claim, aim: `< ${aimMs} ms`, measured: `${ms(p99)} ms`, reached: p99 < aimMs };
};

export const claimsOf = ({ events, rounds, effectsMs, commandsMeanwhile }: Measured): readonly Claim[] => {
  const accepted = median(rounds.map(({ ours }) => perSecond(ours)));
  const ratio = median(rounds.map(({ ours, theirs }) => perSecond(ours) / perSecond(theirs)));
  const effects = (events * 1_000) / effectsMs;
  return [
    {
      claim: 'webhooks accepted/s',
      aim: `≥ ${count(aims.acceptedPerSecond)}`,
      measured: `${count(accepted)}, ${ratio.toFixed(2)}× of one insert each`,
      reached: accepted >= aims.acceptedPerSecond,
    },
    atMost(
      '… p99',
      rounds.flatMap(({ ours }) => ours.latenciesMs),
      aims.acceptedMs,
    ),
    {
      claim: '… with all their effects, per s',
      aim: `≥ ${count(aims.effectsPerSecond)}`,
      measured: count(effects),
      reached: effects >= aims.effectsPerSecond,
    },
    atMost('… p99 of a checkout meanwhile', commandsMeanwhile, aims.commandMs),
  ];
};
