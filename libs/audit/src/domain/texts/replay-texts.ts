import type { Release, ReplayEvent, ReplayFigures, ReplayMode } from '@tapedeck/replay/events';
import type { EventTexts } from './event-texts.ts';

const modeTexts: { readonly [Mode in ReplayMode]: string } = {
  retry: 'handle waiting and failed events again',
  rebuild: 'derive everything again from the tape',
  reread: 'read the subscription at Stripe again',
  refetch: 'fetch events of Stripe that are missing',
};

const counted = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}s`}`;

const sizeText = ({ events, fields }: ReplayFigures): string =>
  events + fields === 0 ? 'nothing' : `${counted(events, 'event')} and ${counted(fields, 'changed field')}`;

const namesOfKinds = { stripe: 'request to Stripe', mail: 'mail' } as const;

/** What is sent with it. */
const sentText = (releases: readonly Release[] = []): string => {
  const counts = (['stripe', 'mail'] as const).flatMap((kind) => {
    const count = releases.filter((release) => release.kind === kind).length;
    return count === 0 ? [] : [counted(count, namesOfKinds[kind])];
  });
  return counts.length === 0 ? '' : `, and has ${counts.join(' and ')} sent`;
};

export const replayTexts: EventTexts<ReplayEvent> = {
  ReplayTried: {
    lane: 'admin',
    text: (data) => `Replay tried (${modeTexts[data.mode]}): it would bring ${sizeText(data)}`,
  },
  ReplayApplied: {
    lane: 'admin',
    text: (data) => `Replay confirmed: it brings ${sizeText(data)}${sentText(data.releases)}`,
  },
  ReplayCompleted: { lane: 'admin', text: () => 'Replay applied' },
};
