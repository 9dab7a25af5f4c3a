import {
  planButtons,
  planOfButton,
  refusalId,
  type PlanChoice,
} from '../features/payments/pricing/plan-choice.ts';
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

/** Why a plan cannot be bought, or what can be done instead; null when it can be bought. */
const obstacleOf = (root: HTMLElement, button: HTMLButtonElement): HTMLElement | null => {
  if (button.disabled) return document.getElementById(refusalId);
  if (!root.hasAttribute('data-subscription')) return null;
  return button.closest('article')?.querySelector<HTMLElement>('.plan-change') ?? null;
};

/**
 * The dialog is loaded when a pointer or the focus reaches a button, so that it opens at once. A press waits for the prices of this
 * person.
 */
export const startPlans = (root: HTMLElement, pricesShown: Promise<void>): void => {
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
    showPending(planOfButton(button));
    const [checkout] = await Promise.all([load(), pricesShown]).finally(() => showPending(null));
    const obstacle = obstacleOf(root, button);
    // The button has lost the focus.
    if (obstacle) obstacle.focus();
    else checkout.choose(planOfButton(button), isMember(root));
  };
  for (const button of planButtons()) {
    for (const intent of ['pointerenter', 'focus'] as const)
      button.addEventListener(intent, () => void load().catch(() => undefined), { once: true });
    button.addEventListener('click', () => void choose(button).catch(() => undefined));
  }
};
