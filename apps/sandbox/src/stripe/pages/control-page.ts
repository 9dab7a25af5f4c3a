import { html, type Html } from '../../html.ts';
import { cards, cardBehaviours } from '../engine/cards.ts';
import type { CardBehaviour } from '../engine/tables.ts';
import { done, money, moment, notice, page } from './layout.ts';

export type ControlledSubscription = Readonly<{
  id: string;
  customer: string;
  email: string;
  plan: string;
  status: string;
  card: string;
  nextAt: number | null;
  nextAmount: number | null;
  willFail: boolean;
  charge: string | null;
}>;

export type ControlView = Readonly<{
  now: number;
  subscriptions: readonly ControlledSubscription[];
  events: readonly Readonly<{ id: string; type: string; created: number; state: string; attempts: number }>[];
  rules: readonly string[];
  isHeld: boolean;
  message?: string | undefined;
  problem?: string | undefined;
}>;

const path = '/_control/stripe/do';

const button = (what: string, label: string, fields: Readonly<Record<string, string>> = {}): Html =>
  html`<form method="post" action="${path}">
    <input type="hidden" name="do" value="${what}" />
    ${Object.entries(fields).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
    )}
    <button>${label}</button>
  </form>`;

const buttonRow = (label: string, buttons: readonly (readonly [what: string, label: string])[]): Html =>
  html`<form class="row" method="post" action="${path}" aria-label="${label}">
    ${buttons.map(([what, text]) => html`<button name="do" value="${what}">${text}</button>`)}
  </form>`;

const cardSelect = ({ customer, id }: ControlledSubscription): Html =>
  html`<form method="post" action="${path}">
    <input type="hidden" name="do" value="card" />
    <input type="hidden" name="customer" value="${customer}" />
    <select name="card" aria-label="Card of ${id}">
      ${cardBehaviours.map(
        (behaviour: CardBehaviour) =>
          html`<option value="${behaviour}">
            •••• ${cards[behaviour].last4} ${behaviour.replaceAll('_', ' ')}
          </option>`,
      )}
    </select>
    <button>Set card</button>
  </form>`;

const nextCharge = ({ nextAt, nextAmount, willFail }: ControlledSubscription): string => {
  if (nextAt === null) return 'No further charge.';
  return `Next charge ${money(nextAmount ?? 0)} on ${moment(nextAt)}${willFail ? ', which fails' : ''}.`;
};

const subscriptionItem = (each: ControlledSubscription): Html =>
  html`<li class="item">
    <p><strong>${each.email}</strong> · ${each.plan} · ${each.status}</p>
    <p>${nextCharge(each)} ${each.card}.</p>
    <div class="actions">
      ${
        each.nextAt === null
          ? html``
          : html`${cardSelect(each)} ${button('fail', 'Next renewal fails', { subscription: each.id })}`
      }
      ${
        each.charge === null
          ? html``
          : html`${button('refund', 'Refund the last charge', { charge: each.charge })}
            ${button('dispute', 'Dispute the last charge', { charge: each.charge })}`
      }
    </div>
  </li>`;

const eventRow = ({ id, type, created, state, attempts }: ControlView['events'][number]): Html =>
  html`<tr>
    <td>${moment(created)}</td>
    <td>${type}</td>
    <td>${state} (${String(attempts)})</td>
    <td>${button('resend', 'Send again', { event: id })}</td>
  </tr>`;

const table = (label: string, heads: readonly string[], rows: readonly Html[]): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">
    <table>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;

const webhookButtons = (isHeld: boolean): Html =>
  buttonRow('Webhooks', [
    ['drop', 'Drop the next event'],
    ['duplicate', 'Send the next event twice'],
    ['delay', 'Delay the next event by an hour'],
    isHeld ? ['release', 'Release all'] : ['hold', 'Hold all'],
    ['clear', 'Deliver normally'],
  ]);

/** For people: the clock, the subscriptions and the webhooks of the stand-in. */
export const controlPage = (view: ControlView): string =>
  page(
    'Stripe control',
    html`<h1>Stripe stand-in</h1>
      ${done(view.message)} ${notice(view.problem)}
      <h2>Clock</h2>
      <p class="clock"><strong>${moment(view.now)}</strong> <span>The product uses the same clock.</span></p>
      ${buttonRow('Clock', [
        ['day', 'Advance by a day'],
        ['renewal', 'Advance past the next renewal'],
        ['fortnight', 'Advance by 14 days'],
      ])}
      <h2>Subscriptions</h2>
      ${
        view.subscriptions.length === 0
          ? html`<p>There are none yet: buy one in Tapedeck.</p>`
          : html`<ul>
              ${view.subscriptions.map(subscriptionItem)}
            </ul>`
      }
      <h2>Webhooks</h2>
      <p>
        ${view.isHeld ? 'All deliveries are held.' : view.rules.length === 0 ? 'Events are delivered normally.' : view.rules.join(' ')}
      </p>
      ${webhookButtons(view.isHeld)}
      <h2>Newest events</h2>
      ${
        view.events.length === 0
          ? html`<p>There are none yet.</p>`
          : table('Events', ['Created', 'Type', 'Delivery (attempts)', 'Action'], view.events.map(eventRow))
      }`,
    true,
  );
