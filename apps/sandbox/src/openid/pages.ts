import { personas, type Persona } from '../contract.ts';
import { html, type Html } from '../html.ts';

const page = (title: string, body: Html): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Tapedeck sandbox</title>
        <link rel="stylesheet" href="/sandbox.css" />
      </head>
      <body>
        <main>
          <div class="tape" aria-hidden="true"></div>
          ${body}
          <footer>
            This page stands in for a sign-in provider while you try out Tapedeck. It asks for no password and
            is reachable from this machine only.
          </footer>
        </main>
      </body>
    </html> `.html;

const personaButton = (action: string, { label, email, about }: Persona): Html =>
  html`<li>
    <form method="post" action="${action}">
      <input type="hidden" name="email" value="${email}" />
      <button class="persona">
        <strong>${label}</strong>
        <span>${email}<br />${about}</span>
      </button>
    </form>
  </li>`;

/** Offers every persona by one click and any other account by its e-mail address. */
export const signInPage = (action: string, notice?: string): string =>
  page(
    'Sign in',
    html`<h1>Sign in to Tapedeck</h1>
      <p>Choose an account.</p>
      ${notice === undefined ? html`` : html`<p class="notice" role="alert">${notice}</p>`}
      <ul>
        ${personas.map((persona) => personaButton(action, persona))}
      </ul>
      <form class="or" method="post" action="${action}">
        <label for="email">Or enter any e-mail address</label>
        <input
          id="email"
          name="email"
          type="email"
          autocomplete="email"
          placeholder="someone@example.com"
          required
          maxlength="254"
        />
        <button class="main">Sign in</button>
      </form>`,
  );

export const signOutPage = (form: string): string =>
  page(
    'Sign out',
    html`<h1>Sign out of the sandbox?</h1>
      <p>The next sign-in asks you to choose an account again.</p>
      ${{ html: form }}
      <button class="main" form="op.logoutForm" name="logout" value="yes">Sign out</button>`,
  );

export const messagePage = (title: string, text: string): string =>
  page(
    title,
    html`<h1>${title}</h1>
      <p>${text}</p>`,
  );
