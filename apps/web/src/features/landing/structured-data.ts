import { site } from '../../api/site.ts';
import { questions } from './questions.ts';

/** For search engines (schema.org). */
export const structuredData = (origin: string): unknown => ({
  '@context': 'https://schema.org',
  '@graph': [
    {
      '@type': 'Organization',
      '@id': `${origin}/#organization`,
      name: 'Tapedeck',
      url: `${origin}/`,
      logo: `${origin}/icon-512.png`,
      sameAs: site.socialLinks.map(({ url }) => url),
    },
    {
      '@type': 'FAQPage',
      '@id': `${origin}/#faq`,
      mainEntity: questions.map(({ question, answer }) => ({
        '@type': 'Question',
        name: question,
        acceptedAnswer: { '@type': 'Answer', text: answer },
      })),
    },
  ],
});

/** For a script element: no text inside may end it. */
export const jsonForScript = (data: unknown): string => JSON.stringify(data).replaceAll('<', '\\u003c');
