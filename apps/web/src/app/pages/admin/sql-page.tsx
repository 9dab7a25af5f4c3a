import type { JSX } from 'react';
import { SqlConsole } from '../../../features/sql-console/sql-console.tsx';
import { usePageTitle } from '../../../ui/browser/use-page-title.ts';
import { useSignInForSql } from './use-sign-in-for-sql.ts';

/** `/admin/sql`. */
export const SqlPage = (): JSX.Element => {
  usePageTitle('SQL Console · Tapedeck');
  return <SqlConsole signInHref={useSignInForSql()} />;
};
