import type { JSX, ReactNode } from 'react';

export type MessageProps = Readonly<{ title: string; words: string; children?: ReactNode }>;

/** A page that has one thing to say. */
export const Message = ({ title, words, children }: MessageProps): JSX.Element => (
  <main className="wrap" id="main">
    <div className="empty" style={{ '--at': '38%' }}>
      <div className="tape" aria-hidden="true" />
      <h1>{title}</h1>
      <p>{words}</p>
      {children}
    </div>
  </main>
);
