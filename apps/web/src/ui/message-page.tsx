import type { JSX, ReactNode } from 'react';

export type MessagePageProps = Readonly<{ title: string; text: string; children?: ReactNode }>;

/** A page with one message and the actions for it. */
export const MessagePage = ({ title, text, children }: MessagePageProps): JSX.Element => (
  <main className="wrap" id="main">
    <div className="empty" style={{ '--position': '38%' }}>
      <div className="tape" aria-hidden="true" />
      <h1>{title}</h1>
      <p>{text}</p>
      {children}
    </div>
  </main>
);
