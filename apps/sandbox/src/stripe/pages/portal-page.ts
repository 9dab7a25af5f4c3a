import { html, type Html } from '../../html.ts';
import { itemOf, periodOf } from '../engine/subscription-state.ts';
import type { Invoice, PortalConfiguration, PortalSession, Price, Subscription } from '../engine/objects.ts';
import { cardChoices } from './checkout-page.ts';
import { day, done, money, notice, page } from './layout.ts';

export type PortalView = Readonly<{
  session: PortalSession;
  /** What the configuration of the session allows. */
  features: PortalConfiguration['features'];
  returnUrl: string | null;
  card: string;
  /** Those that have not ended. */
  subscriptions: readonly Subscription[];
  prices: readonly Price[];
  /** By subscription, the price of the next period when it differs. */
  scheduled: ReadonlyMap<string, Price>;
  invoices: readonly Invoice[];
  message?: string | undefined;
  problem?: string | undefined;
}>;

const per = (price: Price): string => `${money(price.unit_amount)} per ${price.recurring.interval}`;
const nameOf = (price: Price): string => price.nickname ?? price.id;

const nextLine = (subscription: Subscription, scheduled: Price | undefined): string => {
  const end = subscription.cancel_at ?? periodOf(subscription).end;
  if (subscription.cancel_at !== null) return `Ends on ${day(end)}.`;
  const price = scheduled ?? itemOf(subscription).price;
  return scheduled
    ? `Changes to ${nameOf(price)} (${per(price)}) on ${day(end)}.`
    : `Renews on ${day(end)} for ${money(price.unit_amount * itemOf(subscription).quantity)}.`;
};

const button = (action: string, fields: Readonly<Record<string, string>>, label: string): Html =>
  html`<form class="row" method="post" action="${action}">
    ${Object.entries(fields).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
    )}
    <button>${label}</button>
  </form>`;

const planForm = (action: string, subscription: Subscription, prices: readonly Price[]): Html => {
  const current = itemOf(subscription).price.id;
  return html`<form class="row" method="post" action="${action}">
    <input type="hidden" name="do" value="plan" />
    <input type="hidden" name="subscription" value="${subscription.id}" />
    <label for="price-${subscription.id}">Change to</label>
    <select id="price-${subscription.id}" name="price">
      ${prices
        .filter(({ id }) => id !== current)
        .map((price) => html`<option value="${price.id}">${nameOf(price)}, ${per(price)}</option>`)}
    </select>
    <button>Change plan</button>
  </form>`;
};

const subscriptionPart = (action: string, view: PortalView, subscription: Subscription): Html => {
  const { price } = itemOf(subscription);
  const scheduled = view.scheduled.get(subscription.id);
  const fields = { subscription: subscription.id };
  const isEnding = subscription.cancel_at !== null;
  const canChange = view.features.subscription_update.enabled;
  const endButton = isEnding
    ? button(action, { ...fields, do: 'resume' }, 'Continue the subscription')
    : button(action, { ...fields, do: 'cancel' }, 'Cancel at the end of the period');
  return html`<section>
    <h2>${nameOf(price)}</h2>
    <p>${per(price)}. State: ${subscription.status}. ${nextLine(subscription, scheduled)}</p>
    ${isEnding || !canChange ? html`` : planForm(action, subscription, view.prices)}
    ${view.features.subscription_cancel.enabled ? endButton : html``}
    ${scheduled && canChange ? button(action, { ...fields, do: 'keep' }, `Keep ${nameOf(price)}`) : html``}
  </section>`;
};

const cardForm = (action: string): Html =>
  html`<form class="stack" method="post" action="${action}">
    <input type="hidden" name="do" value="card" />
    ${cardChoices('ok')}
    <button class="main">Use this card</button>
  </form>`;

const invoiceRow = (invoice: Invoice): Html =>
  html`<tr>
    <td>${day(invoice.created)}</td>
    <td>${money(invoice.status === 'paid' ? invoice.amount_paid : invoice.amount_due)}</td>
    <td>${invoice.status}</td>
    <td><a href="/i/${invoice.id}">${invoice.status === 'open' ? 'Pay' : 'Show'}</a></td>
  </tr>`;

const invoiceTable = (invoices: readonly Invoice[]): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="Invoices">
    <table>
      <thead>
        <tr>
          <th scope="col">Date</th>
          <th scope="col">Amount</th>
          <th scope="col">State</th>
          <th scope="col">Page</th>
        </tr>
      </thead>
      <tbody>
        ${invoices.map(invoiceRow)}
      </tbody>
    </table>
  </div>`;

const invoicePart = (invoices: readonly Invoice[]): Html =>
  html`<h2>Invoices</h2>
    ${invoices.length === 0 ? html`<p>There are no invoices.</p>` : invoiceTable(invoices)}`;

const wholePortal = (action: string, view: PortalView): Html =>
  html`${view.subscriptions.map((each) => subscriptionPart(action, view, each))}
    ${view.subscriptions.length === 0 ? html`<p>There is no subscription.</p>` : html``}
    <h2>Card</h2>
    <p>Payments use: ${view.card}.</p>
    ${view.features.payment_method_update.enabled ? cardForm(action) : html``}
    ${view.features.invoice_history.enabled ? invoicePart(view.invoices) : html``}`;

/** The one step that the session was made for. */
const flowPart = (action: string, view: PortalView): Html => {
  const { flow } = view.session;
  const confirm = flow?.subscription_update_confirm;
  if (flow?.type === 'payment_method_update')
    return html`<p>Payments use: ${view.card}.</p>
      ${cardForm(action)}`;
  if (flow?.subscription_cancel)
    return html`<p>The subscription stays active until the end of its period.</p>
      ${button(action, { do: 'cancel', subscription: flow.subscription_cancel.subscription }, 'Cancel the subscription')}`;
  if (confirm) {
    const wanted = view.prices.find(({ id }) => id === confirm.items[0]?.price);
    return html`<p>Change to ${wanted ? `${nameOf(wanted)}, ${per(wanted)}` : 'another plan'}.</p>
      ${button(action, { do: 'plan', subscription: confirm.subscription, price: wanted?.id ?? '' }, 'Confirm the change')}`;
  }
  const [subscription] = view.subscriptions.filter(
    ({ id }) => id === flow?.subscription_update?.subscription,
  );
  return subscription ? planForm(action, subscription, view.prices) : html``;
};

export const portalPage = (view: PortalView): string => {
  const action = `/p/session/${view.session.id}`;
  return page(
    'Billing',
    html`<h1>Billing</h1>
      ${done(view.message)} ${notice(view.problem)}
      ${view.session.flow === null ? wholePortal(action, view) : flowPart(action, view)}
      ${view.returnUrl === null ? html`` : html`<a class="link" href="${view.returnUrl}">Return to Tapedeck</a>`}`,
  );
};
