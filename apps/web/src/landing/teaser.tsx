import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { TeaserCard } from '../features/landing/teaser/teaser-card.tsx';

export const showTeaser = (card: HTMLElement, url: string): void =>
  createRoot(card).render(
    <StrictMode>
      <TeaserCard url={url} />
    </StrictMode>,
  );
