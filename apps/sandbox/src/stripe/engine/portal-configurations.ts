import type { PortalConfiguration } from './objects.ts';
import type { Tx } from './transaction.ts';

type Features = PortalConfiguration['features'];

/** What a portal allows that names no configuration: everything. */
export const defaultPortal: PortalConfiguration = {
  id: 'bpc_sandbox',
  object: 'billing_portal.configuration',
  active: true,
  application: null,
  business_profile: { headline: null, privacy_policy_url: null, terms_of_service_url: null },
  created: 0,
  default_return_url: null,
  features: {
    customer_update: { allowed_updates: ['email', 'address', 'tax_id'], enabled: true },
    invoice_history: { enabled: true },
    payment_method_update: { enabled: true, payment_method_configuration: null },
    subscription_cancel: {
      cancellation_reason: { enabled: false, feedback_options: null, options: [] },
      enabled: true,
      mode: 'at_period_end',
      proration_behavior: 'none',
    },
    subscription_pause: { duration: { interval_options: [], type: 'indefinite' }, enabled: false },
    subscription_update: {
      billing_cycle_anchor: null,
      default_allowed_updates: ['price'],
      enabled: true,
      products: null,
      proration_behavior: 'always_invoice',
      schedule_at_period_end: { conditions: [{ type: 'decreasing_item_amount' }] },
      trial_update_behavior: 'end_trial',
    },
  },
  is_default: true,
  livemode: false,
  login_page: { enabled: false, url: null },
  metadata: {},
  name: null,
  updated: 0,
};

/** @throws StripeFailure for one that does not exist */
export const portalConfigurationOf = (tx: Tx, id: string): PortalConfiguration =>
  id === defaultPortal.id ? defaultPortal : tx.require('portal_configuration', id);

/** What a form of the portal's page needs, by its `do`. */
export const featureOf = (what: string | null): keyof Features | undefined => {
  switch (what) {
    case 'card':
      return 'payment_method_update';
    case 'plan':
    case 'keep':
      return 'subscription_update';
    case 'cancel':
    case 'resume':
      return 'subscription_cancel';
    default:
      return undefined;
  }
};
