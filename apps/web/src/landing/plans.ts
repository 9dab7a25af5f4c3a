import { planButtons, planOfButton, type PlanChoice } from '../features/payments/pricing/plan-choice.ts';
import { isMember } from './session.ts';

const labelOf = (button: Element): Element | null => button.querySelector('[data-label]');

/** While the payment page is being opened no other plan can be chosen. */
const showPending = (pending: PlanChoice | null): void => {
  for (const button of planButtons()) {
    const plan = planOfButton(button);
    const isPending = plan.tier === pending?.tier && plan.period === pending.period;
    // Not `disabled`: a disabled button loses the focus.
    button.ariaDisabled = String(pending !== null);
    const label = labelOf(button);
    if (label) label.textContent = isPending ? 'Processing...' : plan.button;
  }
};

const loadCheckout = async (): Promise<
  ReturnType<(typeof import('../features/payments/pricing/landing-checkout.tsx'))['createLandingCheckout']>
> => {
  const { createLandingCheckout } = await import('../features/payments/pricing/landing-checkout.tsx');
  return createLandingCheckout(showPending);
};

/** The dialog is loaded when a pointer or the focus reaches a button, so that it opens at once. */
export const startPlans = (root: HTMLElement): void => {
  let loading: ReturnType<typeof loadCheckout> | undefined;
  const load = (): ReturnType<typeof loadCheckout> => {
    loading ??= loadCheckout();
    // A script that could not be loaded is tried again by the next press.
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  };
  const choose = async (button: HTMLButtonElement): Promise<void> => {
    if (button.ariaDisabled === 'true') return;
    const plan = planOfButton(button);
    showPending(plan);
    const checkout = await load().finally(() => showPending(null));
    checkout.choose(plan, isMember(root));
  };
  for (const button of planButtons()) {
    for (const intent of ['pointerenter', 'focus'] as const)
      button.addEventListener(intent, () => void load().catch(() => undefined), { once: true });
    button.addEventListener('click', () => void choose(button).catch(() => undefined));
  }
};
