import type { JSX } from 'react';
import { formatWhole } from './format.ts';
import { Icon } from './icon.tsx';
import { pageWindow } from './pages.ts';
import { phoneScreen, useMediaQuery } from './browser/use-media-query.ts';

export type PagerProps = Readonly<{ page: number; pages: number; onTurn: (page: number) => void }>;

export const Pager = ({ page, pages, onTurn }: PagerProps): JSX.Element => {
  const isPhone = useMediaQuery(phoneScreen);
  return (
    <div className="pager">
      <button
        className="btn"
        type="button"
        aria-label="Previous page"
        disabled={page <= 1}
        onClick={() => onTurn(page - 1)}
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
          onClick={() => onTurn(each)}
        >
          {formatWhole(each)}
        </button>
      ))}
      <button
        className="btn"
        type="button"
        aria-label="Next page"
        disabled={page >= pages}
        onClick={() => onTurn(page + 1)}
      >
        <Icon name="right" />
      </button>
    </div>
  );
};
