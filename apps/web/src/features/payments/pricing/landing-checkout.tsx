import { StrictMode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { createIdempotencyKeys, isOutcomeKnown, tryOf } from '../../../api/idempotency-keys.ts';
import { sendRequest, type ApiRequest } from '../../../api/request.ts';
import { Toasts } from '../../../ui/toasts.tsx';
import { followCheckout, type CheckoutOutcome } from './checkout-outcome.ts';
import { EmailDialog } from './email-dialog.tsx';
import type { PlanChoice } from './plan-choice.ts';

const keys = createIdempotencyKeys(() => Date.now());

const requestCheckout = async (request: ApiRequest): Promise<CheckoutOutcome> => {
  const attempt = tryOf(request);
  const key = keys.keyFor(attempt);
  const headers = new Headers({ 'idempotency-key': key });
  const { response, answer } = await sendRequest(request, { headers });
  if (response && isOutcomeKnown(response, answer.error)) keys.end(attempt, key);
  // Of the answer only its address is used, and an answer without one is reported.
  return answer as CheckoutOutcome;
};

export type LandingCheckout = Readonly<{
  /** A visitor is asked for an address first; a member goes to the payment page at once. */
  choose: (plan: PlanChoice, isMember: boolean) => void;
}>;

/** `onPending`: the plan whose payment page is being opened; null after a failure. */
export const createLandingCheckout = (onPending: (plan: PlanChoice | null) => void): LandingCheckout => {
  let root: Root | undefined;
  let asked: PlanChoice | null = null;
  let isPending = false;

  const start = async (plan: PlanChoice, request: ApiRequest): Promise<void> => {
    isPending = true;
    onPending(plan);
    draw();
    if (followCheckout(await requestCheckout(request))) return;
    isPending = false;
    onPending(null);
    draw();
  };
  const close = (): void => {
    asked = null;
    draw();
  };
  const submit = (email: string): void => {
    if (asked) void start(asked, { url: asked.visitorUrl, method: 'POST', body: { email } });
  };
  const draw = (): void => {
    root ??= createRoot(document.body.appendChild(document.createElement('div')));
    root.render(
      <StrictMode>
        <EmailDialog plan={asked} isPending={isPending} onSubmit={submit} onClose={close} />
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
