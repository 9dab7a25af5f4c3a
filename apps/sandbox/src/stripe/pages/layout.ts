import { stylesheet } from '../../openid/stylesheet.ts';
import { html, type Html } from '../../html.ts';

const additions = `
main { min-width: 0; }
main.wide { max-width: 72rem; }
.badge { display: inline-block; margin-bottom: 12px; padding: 2px 8px; border-radius: 4px; font-size: 0.75rem;
  line-height: 1rem; font-weight: 600; background: var(--accent-tint); color: var(--text); border: 1px solid var(--accent-line); }
h2 { margin-top: 24px; padding-top: 16px; border-top: 1px solid var(--line); font-size: 1rem; line-height: 1.5rem; font-weight: 600; }
h2 + * { margin-top: 8px; }
dl { display: grid; grid-template-columns: 1fr auto; gap: 6px 16px; margin: 16px 0; padding: 12px 0;
  border-block: 1px solid var(--line); }
dt { color: var(--text-2); }
dd { text-align: right; font-variant-numeric: tabular-nums; }
.total { color: var(--text); font-weight: 600; }
fieldset { border: 0; padding: 0; min-width: 0; display: grid; gap: 8px; }
legend { padding: 0; margin-bottom: 6px; color: var(--text-2); font-size: 0.8125rem; }
.choice { display: grid; grid-template-columns: auto 1fr; gap: 10px; align-items: center; min-height: 2.5rem; padding: 6px 12px;
  border: 1px solid var(--edge); border-radius: 4px; color: var(--text); font-size: 0.875rem; cursor: pointer; }
.choice:hover { background: var(--hover); }
.choice:has(input:checked) { border-color: var(--accent-line); background: var(--accent-tint); }
.choice input { width: 1rem; min-height: 1rem; height: 1rem; accent-color: var(--accent-line); }
.choice span { overflow-wrap: anywhere; }
.choice small { display: block; color: var(--text-2); font-size: 0.75rem; }
form.stack { display: grid; gap: 12px; margin-top: 12px; }
form.row { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 8px; }
form.row button, form.row input, form.row select { width: auto; }
select { min-height: 2.25rem; font: inherit; border-radius: 4px; padding: 6px 8px; border: 1px solid var(--field);
  background: var(--bg); color: inherit; }
.field { display: grid; gap: 4px; }
input[readonly] { background: var(--hover); }
a { color: inherit; text-underline-offset: 2px; }
td a { display: inline-block; min-width: 1.5rem; min-height: 1.5rem; }
.link { display: inline-block; min-height: 1.5rem; margin-top: 16px; }
.done { margin: 0 0 16px; padding: 8px 12px; border-radius: 4px; background: var(--accent-tint); }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 0.8125rem; font-variant-numeric: tabular-nums; }
th { text-align: left; font-weight: 600; color: var(--text-2); }
th, td { padding: 6px 12px 6px 0; border-bottom: 1px solid var(--line); vertical-align: top; white-space: nowrap; }
td.wrap { white-space: normal; min-width: 16rem; overflow-wrap: anywhere; }
p + .notice, p + .done { margin-top: 12px; }
.item { display: grid; gap: 4px; padding: 12px; border: 1px solid var(--line); border-radius: 4px; overflow-wrap: anywhere; min-width: 0; }
.item strong { color: var(--text); font-weight: 600; }
.actions { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 4px; }
.actions form { display: flex; flex-wrap: wrap; gap: 6px; max-width: 100%; }
.actions button, .actions select { width: auto; max-width: 100%; }
td form { display: inline-flex; gap: 6px; }
td button, td select { width: auto; min-height: 1.75rem; padding: 2px 8px; font-size: 0.8125rem; }
.clock { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: baseline; }
.clock strong { font-size: 1.125rem; font-variant-numeric: tabular-nums; }
`;

export const stripeStylesheet = `${stylesheet}${additions.trimStart()}`;
export const stylesheetPath = '/stripe-sandbox.css';

const footer = html`This page stands in for Stripe while you try out Tapedeck. No money moves, and it is
reachable from this machine only.`;

export const page = (title: string, body: Html, isWide = false): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Tapedeck sandbox</title>
        <link rel="stylesheet" href="${stylesheetPath}" />
      </head>
      <body>
        <main class="${isWide ? 'wide' : 'narrow'}">
          <div class="tape" aria-hidden="true"></div>
          <p class="badge">Sandbox: no real payment</p>
          ${body}
          <footer>${footer}</footer>
        </main>
      </body>
    </html> `.html;

export const messagePage = (title: string, text: string): string =>
  page(
    title,
    html`<h1>${title}</h1>
      <p>${text}</p>`,
  );

export const money = (minorUnits: number): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(minorUnits / 100);

export const day = (seconds: number): string =>
  new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(seconds * 1_000);

export const moment = (seconds: number): string =>
  `${new Date(seconds * 1_000).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

export const notice = (text: string | undefined): Html =>
  text === undefined ? html`` : html`<p class="notice" role="alert">${text}</p>`;

export const done = (text: string | undefined): Html =>
  text === undefined ? html`` : html`<p class="done" role="status">${text}</p>`;
