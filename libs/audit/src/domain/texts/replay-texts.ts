import type { ReplayEvent, ReplayFigures, ReplayMode } from '@tapedeck/replay/events';
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

export const replayTexts: EventTexts<ReplayEvent> = {
  ReplayTried: {
    lane: 'admin',
    text: (data) => `Replay tried (${modeTexts[data.mode]}): it would bring ${sizeText(data)}`,
  },
  ReplayApplied: { lane: 'admin', text: (data) => `Replay confirmed: it brings ${sizeText(data)}` },
  ReplayCompleted: { lane: 'admin', text: () => 'Replay applied' },
};
