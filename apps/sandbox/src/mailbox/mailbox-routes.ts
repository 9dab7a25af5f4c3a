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

const row = ({ id, to, subject, receivedAt }: ReceivedMail): Html =>
  html`<li>
    <a href="/mailbox/${encodeURIComponent(id)}">
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

const mailPage = ({ subject, from, to, text, receivedAt }: ReceivedMail): string =>
  page(
    subject,
    html`<p><a href="/mailbox">All mail</a></p>
      <h1>${subject}</h1>
      <p>from ${from} to ${to.join(', ')}<br />${timeOf(receivedAt)}</p>
      <div class="mail">${linked(text)}</div>`,
  );

const stylesheet = `
main { max-width: 40rem; }
li a { display: grid; padding: 8px 12px; border: 1px solid var(--edge); border-radius: 4px; text-decoration: none;
  overflow-wrap: anywhere; }
li a:hover { background: var(--hover); }
li span { color: var(--text-2); font-size: 0.8125rem; }
a { color: inherit; }
.mail { padding-top: 20px; border-top: 1px solid var(--line); white-space: pre-wrap; overflow-wrap: anywhere;
  font-size: 1rem; line-height: 1.5rem; }
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
  app.delete('/mailbox', (_request, reply) => {
    mailbox.clear();
    return reply.status(204).send();
  });
};
