import type { JSX } from 'react';
import { ActionButton } from '../../ui/action-button.tsx';
import { resumeTexts, showOutcome } from './billing-actions.ts';
import { useResumeSubscriptionMutation } from './payments.api.ts';
import { useScreenFollows } from './use-screen-follows.ts';

export type ResumeButtonProps = Readonly<{
  subscriptionId: string;
  className: string;
  /** Where several buttons have the same label. */
  name?: string;
}>;

export const ResumeButton = ({ subscriptionId, className, name }: ResumeButtonProps): JSX.Element => {
  const [resume, { isLoading }] = useResumeSubscriptionMutation();
  const { isFollowing, follow } = useScreenFollows();
  const press = async (): Promise<void> => {
    const { data, error } = await resume({ subscriptionId });
    await follow();
    showOutcome({ data, error }, resumeTexts);
  };
  return (
    <ActionButton
      className={className}
      type="button"
      aria-label={name}
      isBusy={isLoading || isFollowing}
      onClick={() => void press()}
    >
      {isLoading || isFollowing ? 'Processing...' : 'Undo the cancellation'}
    </ActionButton>
  );
};
