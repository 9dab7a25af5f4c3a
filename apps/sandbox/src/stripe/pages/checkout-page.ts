import { cards } from '../engine/cards.ts';
import type { CardBehaviour } from '../engine/tables.ts';
import { html, type Html } from '../../html.ts';
import { billingFields, taxLine, type AsksFor } from './address-fields.ts';
import { day, money, notice, page } from './layout.ts';

export type CheckoutView = Readonly<{
  action: string;
  plan: string;
  listPrice: number;
  interval: string;
  today: number;
  discount: number;
  nextAt: number;
  email: string | null;
  isEmailFixed: boolean;
  asks: AsksFor;
  notice?: string | undefined;
}>;

const offered: readonly CardBehaviour[] = [
  'ok',
  'declined',
  'insufficient_funds',
  'confirm',
  'fails_at_renewal',
  'expired',
];

export const cardChoices = (chosen: CardBehaviour): Html =>
  html`<fieldset>
    <legend>Card</legend>
    ${offered.map(
      (behaviour) =>
        html`<label class="choice">
          ${
            behaviour === chosen
              ? html`<input type="radio" name="card" value="${behaviour}" checked />`
              : html`<input type="radio" name="card" value="${behaviour}" />`
          }
          <span>${cards[behaviour].label}<small>Visa •••• ${cards[behaviour].last4}</small></span>
        </label>`,
    )}
  </fieldset>`;

const emailField = ({ email, isEmailFixed }: CheckoutView): Html =>
  html`<div class="field">
    <label for="email">E-mail</label>
    ${
      isEmailFixed
        ? html`<input id="email" name="email" type="email" value="${email ?? ''}" readonly />`
        : html`<input
            id="email"
            name="email"
            type="email"
            value="${email ?? ''}"
            autocomplete="email"
            required
            maxlength="254"
          />`
    }
  </div>`;

export const checkoutPage = (view: CheckoutView): string =>
  page(
    'Checkout',
    html`<h1>Subscribe to ${view.plan}</h1>
      <dl>
        <dt>${view.plan}</dt>
        <dd>${money(view.listPrice)} per ${view.interval}</dd>
        ${
          view.discount === 0
            ? html``
            : html`<dt>Discount, first ${view.interval}</dt>
                <dd>−${money(view.discount)}</dd>`
        }
        ${taxLine(view.asks)}
        <dt class="total">Due today</dt>
        <dd class="total">${money(view.today)}</dd>
      </dl>
      <p>
        Then ${money(view.listPrice)} per ${view.interval} from ${day(view.nextAt)}, until it is cancelled.
      </p>
      ${notice(view.notice)}
      <form class="stack" method="post" action="${view.action}">
        ${emailField(view)} ${billingFields(view.asks)} ${cardChoices('ok')}
        <button class="main" name="do" value="pay">Pay ${money(view.today)}</button>
        <button name="do" value="abandon" formnovalidate>Return without paying</button>
      </form>`,
  );

/** The bank's page of a card that needs a confirmation. */
export const confirmationPage = (action: string, amount: number): string =>
  page(
    'Confirm the payment',
    html`<h1>Confirm the payment</h1>
      <p>The bank asks whether you pay ${money(amount)} to Tapedeck (3-D Secure).</p>
      <form class="stack" method="post" action="${action}">
        <button class="main" name="do" value="confirm">Confirm</button>
        <button name="do" value="refuse">Refuse</button>
      </form>`,
  );
