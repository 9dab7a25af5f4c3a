// Loads a page once in a browser that listens on a port, and prints Lighthouse's scores (0 to 100) and times (ms) as JSON.
import lighthouse, { desktopConfig } from 'lighthouse';

const [port, url] = process.argv.slice(2);
const result = await lighthouse(
  url,
  { port: Number(port), logLevel: 'error', output: 'json' },
  desktopConfig,
);
if (!result) throw new Error('Lighthouse has no result.');
const { categories, audits, runtimeError } = result.lhr;
if (runtimeError) throw new Error(runtimeError.message);

const score = (name) => Math.round(100 * (categories[name]?.score ?? 0));
const value = (name) => audits[name]?.numericValue ?? 0;
const failed = Object.values(categories).flatMap(({ id, auditRefs }) =>
  auditRefs
    .filter(({ id: audit, weight }) => weight > 0 && (audits[audit]?.score ?? 1) < 0.9)
    .map(({ id: audit }) => `${id}: ${audits[audit]?.title}`),
);
process.stdout.write(
  JSON.stringify({
    scores: ['performance', 'accessibility', 'best-practices', 'seo'].map(score),
    lcp: value('largest-contentful-paint'),
    tbt: value('total-blocking-time'),
    cls: value('cumulative-layout-shift'),
    failed,
  }),
);
