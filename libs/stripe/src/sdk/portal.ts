import type { Stripe } from 'stripe';
import { orMissing, orUnavailable } from './errors.ts';
import { collect } from './values.ts';

/**
 * What a member may change on Stripe's pages. Plans are changed on ours only, where the amount that was shown is what is
 * charged; an e-mail address belongs to the account.
 */
const features = {
  customer_update: { enabled: true, allowed_updates: ['address', 'tax_id'] },
  invoice_history: { enabled: true },
  payment_method_update: { enabled: true },
  subscription_cancel: { enabled: true, mode: 'at_period_end' },
  subscription_update: { enabled: false },
} satisfies Stripe.BillingPortal.ConfigurationCreateParams.Features;

/** In the metadata of the configuration that is ours. */
const markName = 'tapedeck_portal';
const mark = 'members';

type Configuration = Stripe.BillingPortal.Configuration;

const isAsWanted = ({ features: has }: Configuration): boolean =>
  has.subscription_update.enabled === features.subscription_update.enabled &&
  has.subscription_cancel.enabled === features.subscription_cancel.enabled &&
  has.subscription_cancel.mode === features.subscription_cancel.mode &&
  has.payment_method_update.enabled === features.payment_method_update.enabled &&
  has.invoice_history.enabled === features.invoice_history.enabled &&
  has.customer_update.enabled === features.customer_update.enabled &&
  [...has.customer_update.allowed_updates].sort().join() ===
    features.customer_update.allowed_updates.toSorted().join();

const configure = async (stripe: Stripe): Promise<string> => {
  const listed = await orUnavailable(
    collect(stripe.billingPortal.configurations.list({ active: true, limit: 100 })),
  );
  const own = listed.find(({ metadata }) => metadata?.[markName] === mark);
  if (!own) {
    const name = 'Tapedeck members';
    const made = stripe.billingPortal.configurations.create({
      name,
      features,
      metadata: { [markName]: mark },
    });
    return (await orUnavailable(made)).id;
  }
  if (!isAsWanted(own)) await orUnavailable(stripe.billingPortal.configurations.update(own.id, { features }));
  return own.id;
};

export type OpensPortal = (
  wanted: Readonly<{ customerId: string; returnUrl: string }>,
) => Promise<{ url: string }>;

/**
 * Opens Stripe's pages with a configuration of our own, whatever the default of the account allows. It is made or put right
 * once in the life of a process, and again when Stripe does not have it any more.
 */
export const portalOf = (stripe: Stripe): OpensPortal => {
  let configured: Promise<string> | undefined;
  const configuration = (): Promise<string> => {
    const made = (configured ??= configure(stripe));
    made.catch(() => (configured = undefined));
    return made;
  };
  return async ({ customerId, returnUrl }) => {
    const open = async (id: string): Promise<Stripe.BillingPortal.Session | undefined> =>
      orMissing(
        stripe.billingPortal.sessions.create({
          customer: customerId,
          return_url: returnUrl,
          configuration: id,
        }),
      );
    const session = await open(await configuration());
    if (session) return { url: session.url };
    configured = undefined;
    const wanted = { customer: customerId, return_url: returnUrl, configuration: await configuration() };
    return { url: (await orUnavailable(stripe.billingPortal.sessions.create(wanted))).url };
  };
};
