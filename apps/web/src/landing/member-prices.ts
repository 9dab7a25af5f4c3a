import {
  elementsOfPrice,
  planAttributes,
  planButtons,
  planOfButton,
  refusalId,
} from '../features/payments/pricing/plan-choice.ts';
import { shownPrice, type PlanOffers, type ShownPrice } from '../features/payments/plans.ts';

/** The part of `GET /api/membership/billing` that the pricing shows. */
export type MemberPrices = Readonly<{
  offers: PlanOffers;
  purchaseRefusal: Readonly<{ code: string; message: string }> | null;
}>;

const setText = (of: Element, part: string, text: string): void => {
  const element = of.querySelector(`[data-${part}]`);
  if (element) element.textContent = text;
};

const showPrice = (element: HTMLElement, { original, now, after, note, renewal }: ShownPrice): void => {
  const before = element.querySelector<HTMLElement>('[data-original]');
  if (before) before.hidden = original === null;
  setText(element, 'before', original ?? '');
  if (note === null) element.querySelector('[data-note]')?.remove();
  setText(element, 'now', now);
  setText(element, 'after', after);
  setText(element, 'renewal', renewal);
};

export const showOffers = (root: ParentNode, offers: PlanOffers): void => {
  for (const { tier, period } of offers) {
    const price = shownPrice({ tier, period }, offers);
    if (!price) continue;
    for (const element of elementsOfPrice(root, tier, period)) showPrice(element, price);
    for (const button of planButtons()) {
      const plan = planOfButton(button);
      if (plan.tier !== tier || plan.period !== period) continue;
      const { button: label, renewal } = price;
      for (const [name, value] of Object.entries(planAttributes({ ...plan, button: label, renewal })))
        button.setAttribute(name, value);
      setText(button, 'label', label);
    }
  }
};

const showRefusal = (message: string): void => {
  const notice = document.getElementById(refusalId);
  if (!notice) return;
  setText(notice, 'refusal', message);
  notice.hidden = false;
  for (const button of planButtons()) {
    button.disabled = true;
    button.setAttribute('aria-describedby', refusalId);
  }
};

/** Shows a member what this account would be charged, and why nothing can be bought where that is so. */
export const showMemberPrices = (root: HTMLElement, { offers, purchaseRefusal }: MemberPrices): void => {
  showOffers(root, offers);
  // A subscription is changed in My Account: the page links to it.
  const isSubscribed = purchaseRefusal?.code === 'ALREADY_SUBSCRIBED';
  root.toggleAttribute('data-subscription', isSubscribed);
  if (purchaseRefusal && !isSubscribed) showRefusal(purchaseRefusal.message);
};
