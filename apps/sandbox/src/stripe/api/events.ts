import { invalid, missing } from '../engine/failure.ts';
import type { StripeEvent, WebhookEndpoint } from '../engine/objects.ts';
import type { Tx } from '../engine/transaction.ts';
import { flagOf, mergedMetadata, textOf, textsOf, type Form } from './form.ts';
import { page, pageParameters, rangeFilter } from './lists.ts';
import type { Route } from './route.ts';

const listedSeconds = 30 * 86_400;
const maxTypes = 20;

const isListed = (tx: Tx, { created }: StripeEvent): boolean => created > tx.now - listedSeconds;

const typeFilter = (form: Form): ((event: StripeEvent) => boolean) => {
  const types = textsOf(form, 'types');
  const type = textOf(form, 'type');
  if (types.length > 0 && type !== undefined)
    throw invalid('You may only specify one of these parameters: type, types.');
  if (types.length > maxTypes) throw invalid(`At most ${maxTypes} types can be specified.`, 'types');
  if (type?.endsWith('.*')) return (event) => event.type.startsWith(type.slice(0, -1));
  const wanted = type === undefined ? types : [type];
  return (event) => wanted.length === 0 || wanted.includes(event.type);
};

const deliveryFilter = (tx: Tx, form: Form): ((event: StripeEvent) => boolean) => {
  const wanted = flagOf(form, 'delivery_success');
  if (wanted === undefined) return () => true;
  return ({ id }) => (tx.get('delivery', id)?.state === 'delivered') === wanted;
};

const list = (tx: Tx, form: Form): object => {
  const isCreated = rangeFilter(form, 'created');
  const rows = tx
    .all('event')
    .filter((event) => isListed(tx, event) && isCreated(event.created))
    .filter(typeFilter(form))
    .filter(deliveryFilter(tx, form));
  return page(rows.toReversed(), form, '/v1/events');
};

const updateEndpoint = (tx: Tx, form: Form, id: string): WebhookEndpoint => {
  const endpoint = tx.require('endpoint', id);
  const events = textsOf(form, 'enabled_events');
  const isDisabled = flagOf(form, 'disabled');
  const updated: WebhookEndpoint = {
    ...endpoint,
    metadata: mergedMetadata(form, endpoint.metadata),
    ...(events.length === 0 ? {} : { enabled_events: [...events] }),
    ...(isDisabled === undefined ? {} : { status: isDisabled ? 'disabled' : 'enabled' }),
  };
  tx.put('endpoint', updated);
  return updated;
};

export const eventRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/events',
    accepts: [...pageParameters, 'type', 'types', 'created', 'delivery_success'],
    run: ({ tx, form }) => list(tx, form),
  },
  {
    method: 'GET',
    path: '/v1/events/:id',
    accepts: [],
    run: ({ tx, id }) => {
      const event = tx.require('event', id);
      if (!isListed(tx, event)) throw missing('event', id);
      return event;
    },
  },
  {
    method: 'GET',
    path: '/v1/webhook_endpoints',
    accepts: [...pageParameters],
    run: ({ tx, form }) => page(tx.all('endpoint'), form, '/v1/webhook_endpoints'),
  },
  {
    method: 'GET',
    path: '/v1/webhook_endpoints/:id',
    accepts: [],
    run: ({ tx, id }) => tx.require('endpoint', id),
  },
  {
    method: 'POST',
    path: '/v1/webhook_endpoints/:id',
    accepts: ['enabled_events', 'disabled', 'metadata'],
    run: ({ tx, form, id }) => updateEndpoint(tx, form, id),
  },
];
