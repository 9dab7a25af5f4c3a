import { html, type Html } from '../html.ts';
import { performanceChart } from './performance-chart.ts';
import type { Script } from './script.ts';

export const siteStylesheet = `body { margin: 0; padding: 24px 32px; background: #f4f2ee; font: 14px/20px sans-serif; color: #1c1b19; }
h1 { margin: 0 0 4px; font-size: 20px; line-height: 28px; }
p { margin: 0 0 16px; color: #6b665f; }
figure { margin: 0; width: 800px; }
figure svg { display: block; }
`;

const noReport = html`<p>This strategy has no report.</p>`;

/** The page of a script: with its chart, if its results are known. */
export const scriptPage = (script: Script): string => {
  const chart: Html | undefined = performanceChart(script);
  const report = chart ? html`<figure data-chart="performance">${chart}</figure>` : noReport;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${script.title}</title>
        <link rel="stylesheet" href="/charts/site.css" />
      </head>
      <body>
        <h1>${script.title}</h1>
        <p>${script.author === null ? 'Strategy' : `Strategy by ${script.author}`}</p>
        ${report}
      </body>
    </html>`.html;
};
