import type { Favourite } from '@tapedeck/favourites/contract';
import { memo, useState, type JSX, type KeyboardEvent, type MouseEvent } from 'react';
import { Link } from 'react-router-dom';
import { Figure } from '../../ui/figure.tsx';
import { formatDay } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { figureText, toneOf, type FigureColumn } from './figures.ts';
import { TagEditor } from './tag-editor.tsx';
import type { TagDraft } from './tags.ts';

/** What can be done with a row; the functions stay the same, so that only changed rows are drawn again. */
export type RowActions = Readonly<{
  /** Null ends the edit. */
  onDraft: (urlId: string, draft: TagDraft | null) => void;
  onEdit: (favourite: Favourite) => void;
  onRemove: (favourite: Favourite) => void;
  onSelect: (urlId: string, isRange: boolean) => void;
  /** An arrow key on the box of a row. */
  onStep: (urlId: string, step: 1 | -1, isExtending: boolean) => void;
}>;

/** Controls of a row that can take the focus of another one. */
export type RowControl = 'select' | 'edit' | 'remove';
export const controlSelector = (urlId: string, control: RowControl): string =>
  `[data-control="${control} ${CSS.escape(urlId)}"]`;

const steps: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 };

type SelectBoxProps = Pick<RowActions, 'onSelect' | 'onStep'> &
  Readonly<{ urlId: string; title: string; isSelected: boolean }>;

const SelectBox = ({ urlId, title, isSelected, onSelect, onStep }: SelectBoxProps): JSX.Element => (
  <div role="cell" className="fav-select">
    <label className="check">
      <input
        type="checkbox"
        aria-label={`Select ${title}`}
        data-control={`select ${urlId}`}
        checked={isSelected}
        onChange={() => undefined}
        // The keyboard's Space comes as a click too, with the state of Shift.
        onClick={(event: MouseEvent) => onSelect(urlId, event.shiftKey)}
        onKeyDown={(event: KeyboardEvent) => {
          const step = steps[event.key];
          if (step === undefined) return;
          event.preventDefault();
          onStep(urlId, step, event.shiftKey);
        }}
      />
    </label>
  </div>
);

const Thumbnail = ({ origin, urlId }: Readonly<{ origin: string; urlId: string }>): JSX.Element => {
  const [isMissing, setMissing] = useState(false);
  if (!origin || isMissing) return <div className="fav-thumb tape" aria-hidden="true" />;
  return (
    <img
      className="fav-thumb"
      src={`${origin}/${encodeURIComponent(urlId)}.svg`}
      alt=""
      loading="lazy"
      decoding="async"
      draggable={false}
      onError={() => setMissing(true)}
    />
  );
};

const Tags = ({ tags }: Readonly<{ tags: readonly string[] }>): JSX.Element =>
  tags.length === 0 ? (
    <p className="hint fav-still-tags">No tags yet</p>
  ) : (
    <ul className="chips fav-still-tags" aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag} className="chip chip--still">
          {tag}
        </li>
      ))}
    </ul>
  );

const Author = ({ strategy }: Pick<Favourite, 'strategy'>): JSX.Element => {
  if (!strategy) return <p className="meta">No longer in the catalogue</p>;
  const parts = [strategy.author, strategy.revised_at && `revised ${formatDay(strategy.revised_at)}`];
  return <p className="meta">{parts.filter(Boolean).join(' · ')}</p>;
};

export type FavouriteRowProps = RowActions &
  Readonly<{
    favourite: Favourite;
    columns: readonly FigureColumn[];
    chartImageOrigin: string;
    draft: TagDraft | undefined;
    /** Undefined where rows cannot be selected. */
    isSelected: boolean | undefined;
    /** From 1, with the head. */
    rowIndex: number;
    isBusy: boolean;
  }>;

const Main = (props: FavouriteRowProps & Readonly<{ title: string }>): JSX.Element => {
  const { favourite, title, draft, onDraft } = props;
  const { urlId, strategy, tags } = favourite;
  return (
    <div role="cell" className="fav-main">
      <h3>
        <Link to={`/strategy/${encodeURIComponent(urlId)}`} title={title}>
          {title}
        </Link>
      </h3>
      <Author strategy={strategy} />
      {draft ? (
        <TagEditor
          favourite={favourite}
          title={title}
          draft={draft}
          onChange={(changed) => onDraft(urlId, changed)}
          onClose={() => onDraft(urlId, null)}
        />
      ) : (
        <Tags tags={tags} />
      )}
    </div>
  );
};

const Actions = (props: FavouriteRowProps & Readonly<{ title: string }>): JSX.Element => {
  const { favourite, title, draft, isBusy, onEdit, onRemove } = props;
  const { urlId } = favourite;
  return (
    <div role="cell" className="fav-acts">
      <button
        className="btn btn--quiet btn--icon btn--sm"
        type="button"
        title="Edit tags"
        aria-label={`Edit the tags of ${title}`}
        aria-expanded={draft !== undefined}
        data-control={`edit ${urlId}`}
        onClick={() => onEdit(favourite)}
      >
        <Icon name="tag" />
      </button>
      <button
        className="btn btn--quiet btn--icon btn--sm"
        type="button"
        title="Remove from favorites"
        aria-label={`Remove ${title} from favorites`}
        aria-disabled={isBusy}
        data-control={`remove ${urlId}`}
        onClick={() => {
          if (!isBusy) onRemove(favourite);
        }}
      >
        <Icon name="trash" />
      </button>
    </div>
  );
};

export const FavouriteRow = memo((props: FavouriteRowProps): JSX.Element => {
  const { favourite, columns, chartImageOrigin, draft, isSelected, rowIndex, onSelect, onStep } = props;
  const { urlId, strategy } = favourite;
  const title = strategy?.title ?? urlId;
  return (
    <div
      role="row"
      aria-rowindex={rowIndex}
      className={`fav ${draft ? 'fav--edit' : ''} ${isSelected ? 'fav--selected' : ''}`}
    >
      {isSelected !== undefined && (
        <SelectBox urlId={urlId} title={title} isSelected={isSelected} onSelect={onSelect} onStep={onStep} />
      )}
      <div className="fav-picture" aria-hidden="true">
        <Thumbnail origin={chartImageOrigin} urlId={urlId} />
      </div>
      <Main {...props} title={title} />
      <div role="presentation" className="fav-figures">
        {columns.map((column) => (
          <div key={column.sort} role="cell" className="fav-figure">
            <span className="fav-figure-name" aria-hidden="true">
              {column.name}
            </span>
            <Figure className={toneOf(column, strategy)} text={figureText(column, strategy)} />
          </div>
        ))}
      </div>
      <Actions {...props} title={title} />
    </div>
  );
});
FavouriteRow.displayName = 'FavouriteRow';
