import type { JSX, ReactNode, Ref } from 'react';

export type MessagePageProps = Readonly<{
  title: string;
  /** For a title that gets the focus. */
  titleRef?: Ref<HTMLHeadingElement>;
  text: string;
  children?: ReactNode;
}>;

/** A page with one message and the actions for it. */
export const MessagePage = ({ title, titleRef, text, children }: MessagePageProps): JSX.Element => (
  <main className="wrap" id="main">
    <div className="empty" style={{ '--position': '38%' }}>
      <div className="tape" aria-hidden="true" />
      <h1 ref={titleRef} tabIndex={titleRef ? -1 : undefined}>
        {title}
      </h1>
      <p>{text}</p>
      {children}
    </div>
  </main>
);
