import type { JSX, ReactNode } from 'react';
import { usePageTitle } from '../../../ui/browser/use-page-title.ts';

/** The id is its address on the page, such as `#refunds`, which must stay. */
export type LegalSection = Readonly<{ id: string; title: string; body: ReactNode }>;

export type LegalDocumentProps = Readonly<{
  title: string;
  /** As it is shown, such as `October 15, 2024`. */
  lastUpdated: string;
  summary: ReactNode;
  sections: readonly LegalSection[];
}>;

/** A dated text with its contents. */
export const LegalDocument = ({ title, lastUpdated, summary, sections }: LegalDocumentProps): JSX.Element => {
  usePageTitle(`${title} · Tapedeck`);
  return (
    <main className="wrap member-page legal-page" id="main">
      <header className="legal-head">
        <h1>{title}</h1>
        <p className="meta">Last updated {lastUpdated}</p>
        <div className="prose">{summary}</div>
      </header>
      <nav className="legal-contents" aria-label="Contents">
        <h2>Contents</h2>
        <ol>
          {sections.map((section) => (
            <li key={section.id}>
              <a href={`#${section.id}`}>{section.title}</a>
            </li>
          ))}
        </ol>
      </nav>
      <div className="legal-text prose">
        {sections.map((section, index) => (
          <section key={section.id} id={section.id} aria-labelledby={`${section.id}-title`}>
            <h2 id={`${section.id}-title`}>
              {index + 1}. {section.title}
            </h2>
            {section.body}
          </section>
        ))}
      </div>
    </main>
  );
};
