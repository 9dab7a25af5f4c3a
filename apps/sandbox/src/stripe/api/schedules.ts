import { invalid } from '../engine/failure.ts';
import { endSchedule, scheduleFrom, updateSchedule, type PhaseRequest } from '../engine/schedules.ts';
import type { Schedule } from '../engine/objects.ts';
import type { Tx } from '../engine/transaction.ts';
import {
  choiceOf,
  flagOf,
  integerOf,
  mergedMetadata,
  recordOf,
  recordsOf,
  requiredText,
  type Form,
} from './form.ts';
import { equals, page, pageParameters } from './lists.ts';
import type { Route } from './route.ts';

const path = '/v1/subscription_schedules';

const timeOf = (tx: Tx, form: Form, name: string): number | null =>
  form[name] === 'now' ? tx.now : (integerOf(form, name) ?? null);

const phaseOf = (tx: Tx, form: Form): PhaseRequest => {
  const items = recordsOf(form, 'items');
  if (items.length === 0) throw invalid('A phase has an item.', 'phases[0][items]');
  const behavior = choiceOf(form, 'proration_behavior', ['none', 'create_prorations', 'always_invoice']);
  if (behavior !== undefined && behavior !== 'none' && behavior !== 'create_prorations')
    throw invalid(
      'The sandbox changes phases at the end of a period, without prorations.',
      'phases[0][proration_behavior]',
    );
  return {
    items: items.map((item) => ({
      price: requiredText(item, 'price'),
      quantity: integerOf(item, 'quantity') ?? 1,
    })),
    start: timeOf(tx, form, 'start_date'),
    end: timeOf(tx, form, 'end_date'),
    intervals: integerOf(recordOf(form, 'duration') ?? {}, 'interval_count') ?? 1,
    metadata: form['metadata'] === undefined ? null : mergedMetadata(form),
    discounts: recordsOf(form, 'discounts').map((discount) => requiredText(discount, 'discount')),
  };
};

const create = (tx: Tx, form: Form): Schedule => {
  const id = requiredText(form, 'from_subscription');
  const schedule = scheduleFrom(tx, tx.require('subscription', id, 'from_subscription'));
  return updateSchedule(tx, schedule, null, { metadata: mergedMetadata(form) });
};

const update = (tx: Tx, form: Form, schedule: Schedule): Schedule => {
  const behavior = choiceOf(form, 'end_behavior', ['release', 'cancel']);
  const phases =
    form['phases'] === undefined ? null : recordsOf(form, 'phases').map((each) => phaseOf(tx, each));
  return updateSchedule(tx, schedule, phases, {
    metadata: mergedMetadata(form, schedule.metadata ?? {}),
    ...(behavior === undefined ? {} : { end_behavior: behavior }),
  });
};

export const scheduleRoutes: readonly Route[] = [
  {
    method: 'POST',
    path,
    accepts: ['from_subscription', 'metadata'],
    run: ({ tx, form }) => create(tx, form),
  },
  {
    method: 'GET',
    path,
    accepts: [...pageParameters, 'customer'],
    run: ({ tx, form }) =>
      page(tx.all('schedule').filter(equals<Schedule>(form, 'customer')).toReversed(), form, path),
  },
  { method: 'GET', path: `${path}/:id`, accepts: [], run: ({ tx, id }) => tx.require('schedule', id) },
  {
    method: 'POST',
    path: `${path}/:id`,
    accepts: ['phases', 'end_behavior', 'metadata', 'proration_behavior'],
    run: ({ tx, form, id }) => update(tx, form, tx.require('schedule', id)),
  },
  {
    method: 'POST',
    path: `${path}/:id/release`,
    accepts: ['preserve_cancel_date'],
    run: ({ tx, form, id }) => {
      flagOf(form, 'preserve_cancel_date');
      return endSchedule(tx, tx.require('schedule', id), 'released');
    },
  },
  {
    method: 'POST',
    path: `${path}/:id/cancel`,
    accepts: ['invoice_now', 'prorate'],
    run: ({ tx, id }) => endSchedule(tx, tx.require('schedule', id), 'canceled'),
  },
];
