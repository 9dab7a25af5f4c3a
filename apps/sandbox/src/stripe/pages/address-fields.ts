import type { Stripe } from 'stripe';
import { html, type Html } from '../../html.ts';

/** What the checkout asks besides the card, because of taxes. */
export type AsksFor = Readonly<{ address: boolean; taxId: boolean; isTaxed: boolean }>;

/** As the buyer has entered it. */
export type BillingDetails = Readonly<{ address: Stripe.Address | null; taxId: string | null }>;

const fields = [
  { name: 'line1', label: 'Billing address', autocomplete: 'address-line1' },
  { name: 'postal_code', label: 'Postal code', autocomplete: 'postal-code' },
  { name: 'city', label: 'City', autocomplete: 'address-level2' },
  { name: 'country', label: 'Country (two letters)', autocomplete: 'country' },
] as const;

const field = (name: string, label: string, autocomplete: string): Html =>
  html`<div class="field">
    <label for="${name}">${label}</label>
    <input id="${name}" name="${name}" autocomplete="${autocomplete}" maxlength="200" />
  </div>`;

export const billingFields = ({ address, taxId }: AsksFor): Html =>
  html`${address ? fields.map(({ name, label, autocomplete }) => field(name, label, autocomplete)) : html``}
  ${taxId ? field('tax_id', 'Tax ID of a business (optional)', 'off') : html``}`;

export const taxLine = ({ isTaxed }: AsksFor): Html =>
  isTaxed
    ? html`<dt>Tax</dt>
        <dd>Depends on the address; this stand-in adds none</dd>`
    : html``;

const valueOf = (form: URLSearchParams, name: string): string => (form.get(name) ?? '').trim();

/** Undefined when a part of the address is missing. */
export const billingDetailsOf = (form: URLSearchParams, asks: AsksFor): BillingDetails | undefined => {
  const taxId = asks.taxId ? valueOf(form, 'tax_id') || null : null;
  if (!asks.address) return { address: null, taxId };
  const [line1, postalCode, city] = ['line1', 'postal_code', 'city'].map((name) => valueOf(form, name));
  const country = valueOf(form, 'country').toUpperCase();
  if (!line1 || !postalCode || !city || !/^[A-Z]{2}$/.test(country)) return undefined;
  return { address: { line1, line2: null, postal_code: postalCode, city, state: null, country }, taxId };
};
