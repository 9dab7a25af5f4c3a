import type { JSX } from 'react';
import { ParkedEventsPage as ParkedEvents } from '../../../features/operations/parked-events/parked-events-page.tsx';
import { ProjectionsPage as Projections } from '../../../features/operations/projections/projections-page.tsx';
import { PricesPage as Prices } from '../../../features/payments/prices/prices-page.tsx';
import { QueuesPage as Queues } from '../../../features/payments/queues/queues-page.tsx';
import { usePageTitle } from '../../../ui/browser/use-page-title.ts';

/** `/admin/projections`. */
export const ProjectionsPage = (): JSX.Element => {
  usePageTitle('Projections · Tapedeck');
  return <Projections />;
};

/** `/admin/parked-events`. */
export const ParkedEventsPage = (): JSX.Element => {
  usePageTitle('Parked events · Tapedeck');
  return <ParkedEvents />;
};

/** `/admin/prices`. */
export const PricesPage = (): JSX.Element => {
  usePageTitle('Prices · Tapedeck');
  return <Prices />;
};

/** `/admin/queues`. */
export const QueuesPage = (): JSX.Element => {
  usePageTitle('Queues · Tapedeck');
  return <Queues />;
};
