import type { JSX } from 'react';
import { UploadPage as Upload } from '../../../features/strategies/upload/upload-page.tsx';
import { usePageTitle } from '../../../ui/browser/use-page-title.ts';

/** `/admin/upload`. */
export const UploadPage = (): JSX.Element => {
  usePageTitle('Strategy Upload · Tapedeck');
  return <Upload />;
};
