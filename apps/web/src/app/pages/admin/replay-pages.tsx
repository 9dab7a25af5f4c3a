import type { JSX } from 'react';
import { useParams, useSearchParams } from 'react-router-dom';
import { useAuditedMemberQuery } from '../../../features/audit/audit.api.ts';
import { MemberPicker } from '../../../features/audit/member-picker.tsx';
import { ReplayPage as Replay } from '../../../features/replay/replay-page.tsx';
import { modeNames, type ReplayStart } from '../../../features/replay/replay-form.tsx';
import { ReplaysScreen, type ReplaysProps } from '../../../features/replay/replays.tsx';
import { usePageTitle } from '../../../ui/browser/use-page-title.ts';
import { isAnswered, LoadingPage } from '../../../ui/loading-page.tsx';

const renderPicker: ReplaysProps['renderPicker'] = (picker) => <MemberPicker {...picker} />;

const ReplaysOfMember = ({ accountId }: Readonly<{ accountId: string }>): JSX.Element => {
  const answer = useAuditedMemberQuery(accountId);
  if (!isAnswered(answer)) return <LoadingPage title="Replays" />;
  const member = { accountId, name: answer.data?.email ?? accountId };
  return <ReplaysScreen key={accountId} start={{ member }} renderPicker={renderPicker} />;
};

const startIn = (params: URLSearchParams): ReplayStart => {
  const [subscriptionId, eventId] = [params.get('subscription'), params.get('event')];
  const mode = modeNames.find((name) => name === params.get('mode'));
  return {
    ...(subscriptionId === null ? {} : { subscriptionId }),
    ...(eventId === null ? {} : { eventId }),
    ...(mode ? { mode } : {}),
  };
};

/** `/admin/replays`; `?member=`, `?subscription=` or `?event=` chooses what, and `?mode=` how. */
export const ReplaysPage = (): JSX.Element => {
  usePageTitle('Replays · Tapedeck');
  const [params] = useSearchParams();
  const member = params.get('member');
  return member === null ? (
    <ReplaysScreen key={params.toString()} start={startIn(params)} renderPicker={renderPicker} />
  ) : (
    <ReplaysOfMember accountId={member} />
  );
};

/** `/admin/replays/:replayId`. */
export const ReplayPage = (): JSX.Element => {
  usePageTitle('Replay · Tapedeck');
  const { replayId = '' } = useParams();
  return <Replay key={replayId} replayId={replayId} />;
};
