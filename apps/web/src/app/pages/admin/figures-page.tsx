import type { JSX } from 'react';
import { FiguresPage as Figures } from '../../../features/figures/figures-page.tsx';
import { usePageTitle } from '../../../ui/browser/use-page-title.ts';

/** `/admin/figures`. */
export const FiguresPage = (): JSX.Element => {
  usePageTitle('Figures · Tapedeck');
  return <Figures />;
};
