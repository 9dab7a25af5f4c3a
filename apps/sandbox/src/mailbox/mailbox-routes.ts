import type { FastifyInstance, FastifyReply } from 'fastify';
import { html, type Html } from '../html.ts';
import type { Mailbox, ReceivedMail } from './mailbox.ts';

const page = (title: string, body: Html): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Tapedeck sandbox</title>
        <link rel="stylesheet" href="/sandbox.css" />
        <link rel="stylesheet" href="/mailbox.css" />
      </head>
      <body>
        <main>
          <div class="tape" aria-hidden="true"></div>
          ${body}
          <footer>
            This page stands in for everybody’s mailbox while you try out Tapedeck. No mail leaves this
            machine, and a restart of the sandbox empties it.
          </footer>
        </main>
      </body>
    </html> `.html;

const timeOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const pathOf = (id: string): string => `/mailbox/${encodeURIComponent(id)}`;

const row = ({ id, to, subject, receivedAt }: ReceivedMail): Html =>
  html`<li>
    <a href="${pathOf(id)}">
      <strong>${subject}</strong>
      <span>to ${to.join(', ')} · ${timeOf(receivedAt)}</span>
    </a>
  </li>`;

const listPage = (mails: readonly ReceivedMail[]): string =>
  page(
    'Mailbox',
    html`<h1>Mailbox</h1>
      <p>${mails.length === 0 ? 'No mail yet: what Tapedeck sends appears here.' : 'The newest first.'}</p>
      <ul>
        ${mails.map(row)}
      </ul>`,
  );

/** Addresses in a text become links. */
const linked = (text: string): readonly Html[] =>
  text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, index) => (index % 2 === 0 ? html`${part}` : html`<a href="${part}">${part}</a>`));

/** The page runs no script and cannot reach this one; its links open pages of their own. */
const htmlPart = ({ id, html: source }: ReceivedMail): Html =>
  source === null
    ? html``
    : html`<h2>As a page</h2>
        <iframe
          title="The mail as a page"
          src="${pathOf(id)}/page"
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          referrerpolicy="no-referrer"
        ></iframe>
        <p><a href="${pathOf(id)}/page" target="_blank" rel="noopener">The page alone</a></p>`;

const mailPage = (mail: ReceivedMail): string => {
  const { subject, from, to, text, receivedAt } = mail;
  return page(
    subject,
    html`<p><a href="/mailbox">All mail</a></p>
      <h1>${subject}</h1>
      <p>from ${from} to ${to.join(', ')}<br />${timeOf(receivedAt)}</p>
      ${htmlPart(mail)}
      <h2>As plain text</h2>
      <div class="mail">${linked(text)}</div>`,
  );
};

/** Nothing is loaded and nothing runs in the page of a mail; it is shown by the mailbox only. */
const policyOfMail = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-popups allow-popups-to-escape-sandbox',
].join('; ');

const stylesheet = `
main { max-width: 48rem; }
h2 { margin: 20px 0 8px; font-size: 0.8125rem; line-height: 1.25rem; font-weight: 600; color: var(--text-2); }
iframe { display: block; width: 100%; height: 44rem; border: 1px solid var(--line); border-radius: 4px; background: var(--bg); }
iframe + p { margin-top: 8px; font-size: 0.8125rem; }
li a { display: grid; padding: 8px 12px; border: 1px solid var(--edge); border-radius: 4px; text-decoration: none;
  overflow-wrap: anywhere; }
li a:hover { background: var(--hover); }
li span { color: var(--text-2); font-size: 0.8125rem; }
a { color: inherit; }
.mail { padding: 16px; border: 1px solid var(--line); border-radius: 4px; white-space: pre-wrap; overflow-wrap: anywhere;
  font-size: 0.9375rem; line-height: 1.5rem; }
`.trimStart();

const notFoundPage = page(
  'No such mail',
  html`<h1>No such mail</h1>
    <p>The mailbox was emptied meanwhile. <a href="/mailbox">All mail</a></p>`,
);

/** `/mailbox` for people; `/mailbox/mails.json?to=` and `DELETE /mailbox` for programs. */
export const registerMailboxRoutes = (app: FastifyInstance, mailbox: Mailbox): void => {
  const show = (reply: FastifyReply, text: string, status = 200): FastifyReply =>
    reply.status(status).type('text/html; charset=utf-8').send(text);
  app.get('/mailbox', (_request, reply) => show(reply, listPage(mailbox.mails())));
  app.get('/mailbox.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(stylesheet));
  app.get<{ Querystring: { to?: string } }>('/mailbox/mails.json', ({ query: { to } }) =>
    mailbox.mails().filter((mail) => to === undefined || mail.to.includes(to)),
  );
  app.get<{ Params: { id: string } }>('/mailbox/:id', ({ params }, reply) => {
    const mail = mailbox.find(params.id);
    return mail ? show(reply, mailPage(mail)) : show(reply, notFoundPage, 404);
  });
  app.get<{ Params: { id: string } }>('/mailbox/:id/page', ({ params }, reply) => {
    const source = mailbox.find(params.id)?.html;
    if (typeof source !== 'string') return show(reply, notFoundPage, 404);
    return show(reply.header('content-security-policy', policyOfMail), source);
  });
  app.delete('/mailbox', (_request, reply) => {
    mailbox.clear();
    return reply.status(204).send();
  });
};
