import type { JSX } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useClientConfigQuery } from '../../api/config.api.ts';
import { addressOfOrder, orderOfAddress, type ChangeOrder } from '../../features/favourites/order.ts';
import { FavouritesPage as Favourites } from '../../features/favourites/favourites-page.tsx';
import { useMemberTierQuery } from '../../features/membership/membership.api.ts';
import { usePageTitle } from '../../ui/browser/use-page-title.ts';

/** `/favorites`: all favourites, with tags and order in the query. */
export const FavouritesPage = (): JSX.Element => {
  usePageTitle('Favorites · Tapedeck');
  const [query, setQuery] = useSearchParams();
  const changeOrder: ChangeOrder = (change) => {
    // The address of the browser is newer than the one that was rendered last.
    const order = change(orderOfAddress(new URLSearchParams(window.location.search)));
    setQuery(addressOfOrder(order), { replace: true, preventScrollReset: true });
  };
  const { data: config } = useClientConfigQuery();
  const { data: tier } = useMemberTierQuery();
  return (
    <Favourites
      chartImageOrigin={config?.chartImageOrigin ?? ''}
      order={orderOfAddress(query)}
      onOrder={changeOrder}
      isExportIncluded={tier?.features.includes('csvExport')}
    />
  );
};
