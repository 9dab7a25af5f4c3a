import type { JSX } from 'react';
import { phoneScreen, useMediaQuery } from './browser/use-media-query.ts';
import { formatWhole } from './format.ts';
import { Icon } from './icon.tsx';
import { pageWindow } from './page-window.ts';

export type PagerProps = Readonly<{ page: number; pages: number; onPage: (page: number) => void }>;

export const Pager = ({ page, pages, onPage }: PagerProps): JSX.Element => {
  const isPhone = useMediaQuery(phoneScreen);
  return (
    <div className="pager">
      <button
        className="btn"
        type="button"
        aria-label="Previous page"
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      >
        <Icon name="left" />
      </button>
      {pageWindow(page, pages, isPhone ? 5 : 7).map((each) => (
        <button
          key={each}
          className="btn"
          type="button"
          aria-label={`Page ${each}`}
          aria-current={each === page ? 'page' : undefined}
          onClick={() => onPage(each)}
        >
          {formatWhole(each)}
        </button>
      ))}
      <button
        className="btn"
        type="button"
        aria-label="Next page"
        disabled={page >= pages}
        onClick={() => onPage(page + 1)}
      >
        <Icon name="right" />
      </button>
    </div>
  );
};
