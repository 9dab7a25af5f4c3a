import type { TryReplayBody } from '@tapedeck/replay/contract';
import type { JSX } from 'react';
import { useNavigate } from 'react-router-dom';
import { failureOf } from '../../api/problem-text.ts';
import { useTryReplayMutation } from './replay.api.ts';
import { ReplayForm, type ReplayFormProps, type ReplayStart } from './replay-form.tsx';
import { ReplayList } from './replay-list.tsx';
import { tryFailedText } from './replay-words.ts';

export type ReplaysProps = Readonly<{ start: ReplayStart; renderPicker: ReplayFormProps['renderPicker'] }>;

/** `/admin/replays`: a new replay, and the earlier ones. */
export const ReplaysScreen = ({ start, renderPicker }: ReplaysProps): JSX.Element => {
  const navigate = useNavigate();
  const [tryReplay, { isLoading, error }] = useTryReplayMutation();
  const tryIt = async (body: TryReplayBody): Promise<void> => {
    const { data } = await tryReplay(body);
    if (data) await navigate(`/admin/replays/${data.replayId}`);
  };
  return (
    <main className="wrap member-page" id="main">
      <div>
        <h1>Replays</h1>
        <p className="meta">
          Handle payment events again: see the difference first, then apply it. Applying it twice changes
          nothing more.
        </p>
      </div>
      <ReplayForm
        start={start}
        renderPicker={renderPicker}
        isRunning={isLoading}
        problem={failureOf(error, tryFailedText)}
        onTry={(body) => void tryIt(body)}
      />
      <ReplayList />
    </main>
  );
};
