import type { JSX } from 'react';
import { useHref, useLinkClickHandler, useLocation, useNavigate } from 'react-router-dom';
import { useCommands } from '../../../ui/browser/shortcuts.ts';
import { formatWhole } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { useNeighbours } from './neighbours.api.ts';
import type { Neighbour } from './neighbours.ts';
import { placeOf, stateOf, type ResultPlace } from './result-place.ts';

const pathOf = ({ urlId }: Neighbour): string => `/strategy/${encodeURIComponent(urlId)}`;

type StepProps = Readonly<{
  direction: 'previous' | 'next';
  neighbour: Neighbour | null | undefined;
  onIntent: (urlId: string) => void;
}>;

/** One element for a link and for the end of the result: with another element the focus would be lost. */
const Step = ({ direction, neighbour, onIntent }: StepProps): JSX.Element => {
  const path = neighbour ? pathOf(neighbour) : '';
  const href = useHref(path);
  const onClick = useLinkClickHandler(path, neighbour ? { state: stateOf(neighbour.place) } : {});
  const isPrevious = direction === 'previous';
  const intend = (): void => {
    if (neighbour) onIntent(neighbour.urlId);
  };
  return (
    <a
      className="btn btn--sm step"
      // oxlint-disable-next-line jsx-a11y/no-redundant-roles -- without an address an anchor is no link
      role="link"
      tabIndex={0}
      aria-disabled={!neighbour}
      title={neighbour?.title}
      {...(neighbour ? { href, onClick, onPointerEnter: intend, onFocus: intend } : {})}
    >
      {isPrevious && <Icon name="left" small />}
      <span className="step-name">
        {isPrevious ? 'Previous' : 'Next'}
        <span className="visually-hidden"> strategy</span>
      </span>
      {!isPrevious && <Icon name="right" small />}
    </a>
  );
};

type StepsProps = Readonly<{ urlId: string; place: ResultPlace; onIntent: (urlId: string) => void }>;

const Steps = ({ urlId, place, onIntent }: StepsProps): JSX.Element => {
  const neighbours = useNeighbours(place, urlId);
  const navigate = useNavigate();
  const go = (neighbour: Neighbour | null | undefined): void => {
    if (neighbour) void navigate(pathOf(neighbour), { state: stateOf(neighbour.place) });
  };
  useCommands([
    {
      id: 'previous-strategy',
      key: '[',
      label: 'Previous strategy of the result',
      perform: () => go(neighbours?.previous),
    },
    {
      id: 'next-strategy',
      key: ']',
      label: 'Next strategy of the result',
      perform: () => go(neighbours?.next),
    },
  ]);
  return (
    <nav className="steps-through" aria-label="Result">
      <span className="meta" role="status">
        {neighbours && `${formatWhole(neighbours.number)} of ${formatWhole(neighbours.total)}`}
      </span>
      <Step direction="previous" neighbour={neighbours?.previous} onIntent={onIntent} />
      <Step direction="next" neighbour={neighbours?.next} onIntent={onIntent} />
    </nav>
  );
};

export type ResultNavigationProps = Readonly<{
  urlId: string;
  /** The pointer or the focus is on the link to this strategy. */
  onIntent: (urlId: string) => void;
}>;

/** Previous and next in the result from which the strategy was opened; nothing when it was opened by a link. */
export const ResultNavigation = ({ urlId, onIntent }: ResultNavigationProps): JSX.Element | null => {
  const place = placeOf(useLocation().state);
  return place && <Steps urlId={urlId} place={place} onIntent={onIntent} />;
};
