import { livingCustomer } from '../engine/customers.ts';
import { invalid } from '../engine/failure.ts';
import type { PortalConfiguration, PortalSession } from '../engine/objects.ts';
import { defaultPortal, portalConfigurationOf } from '../engine/portal-configurations.ts';
import type { Tx } from '../engine/transaction.ts';
import { flagOf, mergedMetadata, recordOf, requiredText, textOf, textsOf, urlOf, type Form } from './form.ts';
import { page, pageParameters } from './lists.ts';
import { flowOf } from './portal-flow.ts';
import type { Route } from './route.ts';

type Features = PortalConfiguration['features'];

const isOn = (features: Form, name: keyof Features): boolean | undefined =>
  flagOf(recordOf(features, name) ?? {}, 'enabled');

/** What is not sent stays as it is. */
const featuresOf = (features: Form, before: Features): Features => {
  const { customer_update: customer, subscription_cancel: cancel, subscription_update: update } = before;
  const updates = textsOf(recordOf(features, 'customer_update') ?? {}, 'allowed_updates');
  return {
    ...before,
    customer_update: {
      enabled: isOn(features, 'customer_update') ?? customer.enabled,
      allowed_updates: updates.length > 0 ? [...updates] : customer.allowed_updates,
    },
    invoice_history: { enabled: isOn(features, 'invoice_history') ?? before.invoice_history.enabled },
    payment_method_update: {
      ...before.payment_method_update,
      enabled: isOn(features, 'payment_method_update') ?? before.payment_method_update.enabled,
    },
    subscription_cancel: {
      ...cancel,
      enabled: isOn(features, 'subscription_cancel') ?? cancel.enabled,
      mode: textOf(recordOf(features, 'subscription_cancel') ?? {}, 'mode') ?? cancel.mode,
    },
    subscription_update: { ...update, enabled: isOn(features, 'subscription_update') ?? update.enabled },
  };
};

const allOff: Features = {
  ...defaultPortal.features,
  customer_update: { allowed_updates: [], enabled: false },
  invoice_history: { enabled: false },
  payment_method_update: { ...defaultPortal.features.payment_method_update, enabled: false },
  subscription_cancel: { ...defaultPortal.features.subscription_cancel, enabled: false },
  subscription_update: { ...defaultPortal.features.subscription_update, enabled: false },
};

const create = (tx: Tx, form: Form): PortalConfiguration => {
  const features = recordOf(form, 'features');
  if (!features) throw invalid('Missing required param: features.', 'features', 'parameter_missing');
  const configuration: PortalConfiguration = {
    ...defaultPortal,
    id: tx.newId('bpc'),
    created: tx.now,
    features: featuresOf(features, allOff),
    is_default: false,
    metadata: mergedMetadata(form),
    name: textOf(form, 'name') ?? null,
    updated: tx.now,
  };
  tx.put('portal_configuration', configuration);
  return configuration;
};

const update = (tx: Tx, form: Form, before: PortalConfiguration): PortalConfiguration => {
  const configuration: PortalConfiguration = {
    ...before,
    active: flagOf(form, 'active') ?? before.active,
    features: featuresOf(recordOf(form, 'features') ?? {}, before.features),
    metadata: mergedMetadata(form, before.metadata ?? {}),
    updated: tx.now,
  };
  tx.put('portal_configuration', configuration);
  return configuration;
};

const createSession = (tx: Tx, form: Form): PortalSession => {
  const customer = livingCustomer(tx, requiredText(form, 'customer'));
  const { id: configuration, active } = portalConfigurationOf(
    tx,
    textOf(form, 'configuration') ?? defaultPortal.id,
  );
  if (!active)
    throw invalid(
      'The configuration is inactive: pass an active one.',
      'configuration',
      'billing_portal_configuration_inactive',
    );
  const id = tx.newId('bps');
  const session: PortalSession = {
    id,
    object: 'billing_portal.session',
    configuration,
    created: tx.now,
    customer: customer.id,
    customer_account: null,
    flow: flowOf(tx, form, customer.id),
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url: urlOf(form, 'return_url'),
    url: `${tx.rules.publicUrl}/p/session/${id}`,
  };
  tx.put('portal_session', session);
  tx.emit('billing_portal.session.created', session);
  return session;
};

const path = '/v1/billing_portal/configurations';

export const portalRoutes: readonly Route[] = [
  {
    method: 'GET',
    path,
    accepts: [...pageParameters, 'active', 'is_default'],
    run: ({ tx, form }) => {
      const active = flagOf(form, 'active');
      const rows = [...tx.all('portal_configuration'), defaultPortal];
      return page(
        rows.filter((row) => active === undefined || row.active === active),
        form,
        path,
      );
    },
  },
  {
    method: 'POST',
    path,
    accepts: ['features', 'metadata', 'name'],
    run: ({ tx, form }) => create(tx, form),
  },
  {
    method: 'POST',
    path: `${path}/:id`,
    accepts: ['active', 'features', 'metadata'],
    run: ({ tx, form, id }) => update(tx, form, tx.require('portal_configuration', id)),
  },
  {
    method: 'POST',
    path: '/v1/billing_portal/sessions',
    accepts: ['customer', 'configuration', 'return_url', 'flow_data', 'locale'],
    run: ({ tx, form }) => createSession(tx, form),
  },
];
