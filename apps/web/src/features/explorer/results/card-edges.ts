import { type Exploration } from '@tapedeck/explorer/contract';
import { defaultScale } from '@tapedeck/search-engine/contract';
import { useState } from 'react';
import type { BinEdges } from './strategy-card.tsx';

/** A card's bars keep their thresholds, those of the default scale, whichever scale its slider has. */
export const useCardEdges = (shown: Exploration | undefined): BinEdges => {
  const [edges, setEdges] = useState<BinEdges>({});
  const [seen, setSeen] = useState<Exploration>();
  if (shown !== undefined && shown !== seen) {
    setSeen(shown);
    const usable = shown.histograms.filter(
      ({ field, scale }) => scale === defaultScale[field] || !edges[field],
    );
    setEdges({ ...edges, ...Object.fromEntries(usable.map(({ field, edges }) => [field, edges])) });
  }
  return edges;
};
