import type { JSX } from 'react';
import { useParams, useSearchParams } from 'react-router-dom';
import { useAuditedMemberQuery } from '../../../features/audit/audit.api.ts';
import { MemberPicker } from '../../../features/audit/member-picker.tsx';
import { ReplayPage as Replay } from '../../../features/replay/replay-page.tsx';
import { ReplaysScreen } from '../../../features/replay/replays.tsx';
import { usePageTitle } from '../../../ui/browser/use-page-title.ts';

const ReplaysOfMember = ({ accountId }: Readonly<{ accountId: string }>): JSX.Element => {
  const { data } = useAuditedMemberQuery(accountId);
  const name = data?.email ?? accountId;
  return (
    <ReplaysScreen
      key={name}
      member={{ accountId, name }}
      renderPicker={(choose) => <MemberPicker onChoose={choose} />}
    />
  );
};

/** `/admin/replays`; `?member=` chooses the member. */
export const ReplaysPage = (): JSX.Element => {
  usePageTitle('Replays · Tapedeck');
  const member = useSearchParams()[0].get('member');
  return member === null ? (
    <ReplaysScreen member={null} renderPicker={(choose) => <MemberPicker onChoose={choose} />} />
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
