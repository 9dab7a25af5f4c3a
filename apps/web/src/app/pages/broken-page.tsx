import type { JSX } from 'react';
import { Message } from '../../ui/message-page.tsx';

/** Shown in place of a page whose code failed; a reload starts it anew. */
export const BrokenPage = (): JSX.Element => (
  <Message title="This page has failed" words="The fault is ours. Loading it again usually helps.">
    <button className="btn" type="button" onClick={() => window.location.reload()}>
      Load again
    </button>
  </Message>
);
