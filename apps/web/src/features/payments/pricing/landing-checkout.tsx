import { StrictMode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { createIdempotencyKeys, isOutcomeKnown, tryOf } from '../../../api/idempotency-keys.ts';
import { mutationHeaders } from '../../../api/mutation-headers.ts';
import { OtherAccountDialog } from '../../../api/other-account-dialog.tsx';
import { sendRequest, type ApiRequest } from '../../../api/request.ts';
import { sessionOfPage } from '../../../api/session-of-page.ts';
import { shownAgain } from '../../../ui/browser/shown-again.ts';
import type { Problem } from '../../../ui/inline-error.tsx';
import { Toasts } from '../../../ui/toasts.tsx';
import { followCheckout, hideCheckoutFailed, type CheckoutOutcome } from './checkout-outcome.ts';
import { EmailDialog } from './email-dialog.tsx';
import type { PlanChoice } from './plan-choice.ts';

const keys = createIdempotencyKeys(() => Date.now());

const requestCheckout = async (request: ApiRequest): Promise<CheckoutOutcome> => {
  const attempt = tryOf(request);
  const key = keys.keyFor(attempt);
  const headers = mutationHeaders(key, sessionOfPage.accountId());
  const { response, answer } = await sendRequest(request, { headers });
  if (response && isOutcomeKnown(response, answer.error)) keys.end(attempt, key);
  if (answer.error?.code === 'OTHER_ACCOUNT') void sessionOfPage.check();
  // Of the answer only its address is used, and an answer without one is reported.
  return answer as CheckoutOutcome;
};

export type LandingCheckout = Readonly<{
  /** A visitor is asked for an address first; a member goes to the payment page at once. */
  choose: (plan: PlanChoice, isMember: boolean) => void;
}>;

/** `onPending`: the plan whose payment page is being opened; null after a failure, and when the buyer returns from it. */
export const createLandingCheckout = (onPending: (plan: PlanChoice | null) => void): LandingCheckout => {
  let root: Root | undefined;
  let asked: PlanChoice | null = null;
  let isPending = false;
  let problem: Problem | null = null;

  const start = async (plan: PlanChoice, request: ApiRequest): Promise<void> => {
    isPending = true;
    problem = null;
    onPending(plan);
    draw();
    problem = followCheckout(await requestCheckout(request));
    if (problem === null) await shownAgain();
    isPending = false;
    onPending(null);
    draw();
  };
  const close = (): void => {
    asked = null;
    problem = null;
    hideCheckoutFailed();
    draw();
  };
  const submit = (email: string): void => {
    if (asked) void start(asked, { url: asked.visitorUrl, method: 'POST', body: { email } });
  };
  const draw = (): void => {
    root ??= createRoot(document.body.appendChild(document.createElement('div')));
    root.render(
      <StrictMode>
        <EmailDialog plan={asked} isPending={isPending} problem={problem} onSubmit={submit} onClose={close} />
        <OtherAccountDialog />
        <Toasts />
      </StrictMode>,
    );
  };
  return {
    choose: (plan, isMember) => {
      if (isMember) {
        void start(plan, { url: plan.memberUrl, method: 'POST', body: { period: plan.period } });
        return;
      }
      asked = plan;
      draw();
    },
  };
};
