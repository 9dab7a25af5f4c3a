import type { JSX } from 'react';
import { QueuesPage as Queues } from '../../../features/queues/queues-page.tsx';
import { usePageTitle } from '../../../ui/browser/use-page-title.ts';

/** `/admin/queues`. */
export const QueuesPage = (): JSX.Element => {
  usePageTitle('Queues · Tapedeck');
  return <Queues />;
};
