import { accountOf, emailOf, type SandboxAccount } from './accounts.ts';
import type { SandboxOptions } from '../environment.ts';
import { memoryAdapter } from './memory-adapter.ts';
import { messagePage, signOutPage } from './pages.ts';
import type { SigningKeys } from './signing-keys.ts';
import { Provider, interactionPolicy, type Configuration, type KoaContextWithOIDC } from 'oidc-provider';

type Grant = InstanceType<Provider['Grant']>;

/** The accounts that have signed in since the start, by subject. */
export type Accounts = Map<string, SandboxAccount>;

export const signInPath = '/interaction';

const day = 24 * 60 * 60;

/** Shows the sign-in page for a hint that is not an e-mail address; the page then explains the error. */
const policy = (): interactionPolicy.DefaultPolicy => {
  const prompts = interactionPolicy.base();
  prompts.get('login')?.checks.add(
    new interactionPolicy.Check('unusable_login_hint', 'login_hint is not an e-mail address', (ctx) => {
      const hint = ctx.oidc.params?.['login_hint'];
      return typeof hint === 'string' && emailOf(hint) === undefined && !ctx.oidc.result?.login;
    }),
  );
  return prompts;
};

/** Grants everything that the client requests, without a consent page. */
const grantEverything = async (ctx: KoaContextWithOIDC): Promise<Grant | undefined> => {
  const { client, account, provider, session } = ctx.oidc;
  if (!client || !account) return undefined;
  // Codes of other tabs belong to the existing grant.
  const grantId = session?.grantIdFor(client.clientId);
  const existing = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  if (existing) return existing;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: account.accountId });
  grant.addOIDCScope('openid email profile');
  await grant.save();
  return grant;
};

const configuration = (options: SandboxOptions, keys: SigningKeys, accounts: Accounts): Configuration => ({
  adapter: memoryAdapter(),
  jwks: keys.jwks,
  clients: [
    {
      client_id: options.clientId,
      client_secret: options.clientSecret,
      client_name: 'Tapedeck',
      redirect_uris: options.redirectOrigins.map((origin) => `${origin}/api/login/callback`),
      post_logout_redirect_uris: options.redirectOrigins.map((origin) => `${origin}/`),
    },
  ],
  clientBasedCORS: () => false,
  // Browsers share cookies between ports: two sandboxes on one machine need different names.
  cookies: {
    names: {
      session: `sandbox_session_${options.port}`,
      interaction: `sandbox_sign_in_${options.port}`,
      resume: `sandbox_resume_${options.port}`,
    },
    keys: keys.cookieKeys,
  },
  claims: {
    openid: ['sub'],
    email: ['email', 'email_verified'],
    profile: ['name', 'given_name', 'family_name'],
  },
  findAccount: (_ctx, sub) => {
    const known = accounts.get(sub);
    if (!known) return undefined;
    const { email, firstName, lastName } = known;
    const profile = { name: `${firstName} ${lastName}`, given_name: firstName, family_name: lastName };
    return { accountId: sub, claims: async () => ({ sub, email, email_verified: true, ...profile }) };
  },
  features: {
    devInteractions: { enabled: false },
    rpInitiatedLogout: {
      enabled: true,
      logoutSource: (ctx, form) => {
        ctx.body = signOutPage(form);
      },
      postLogoutSuccessSource: (ctx) => {
        ctx.body = messagePage('Signed out', 'You can close this page.');
      },
    },
  },
  interactions: { policy: policy(), url: (_ctx, interaction) => `${signInPath}/${interaction.uid}` },
  loadExistingGrant: grantEverything,
  pkce: { required: () => true },
  renderError: (ctx, out) => {
    ctx.type = 'html';
    ctx.body = messagePage('That did not work', out.error_description ?? out.error);
  },
  ttl: {
    AccessToken: 600,
    AuthorizationCode: 60,
    Grant: day,
    IdToken: 600,
    Interaction: 1_800,
    Session: day,
  },
});

/** The subject whom the request signs in; undefined when the sign-in page decides. */
const requestedSubject = async (
  provider: Provider,
  path: string,
  hint: unknown,
): Promise<string | undefined> => {
  if (path === '/auth') {
    const email = typeof hint === 'string' ? emailOf(hint) : undefined;
    return email === undefined ? undefined : accountOf(email).sub;
  }
  const uid = /^\/auth\/([^/]+)$/.exec(path)?.[1];
  const interaction = uid === undefined ? undefined : await provider.Interaction.find(uid);
  return interaction?.session?.uid ? undefined : interaction?.result?.login?.accountId;
};

/** Signs in another account than before without a page in between: the request loses the cookie of the old session. */
const switchAccounts = (provider: Provider): void => {
  provider.use(async (ctx, next) => {
    const requested = await requestedSubject(provider, ctx.path, ctx.query['login_hint']);
    if (requested !== undefined) {
      const { accountId } = await provider.Session.get(ctx);
      if (accountId !== undefined && accountId !== requested) {
        const { cookie = '' } = ctx.req.headers;
        const others = cookie.split(/; */).filter((pair) => !pair.startsWith(provider.cookieName('session')));
        ctx.req.headers.cookie = others.join('; ');
      }
    }
    await next();
  });
};

/** Signs out without a page when the request has an id token and an address to return to. */
const signOutWithoutPage = (provider: Provider): void => {
  provider.use(async (ctx, next) => {
    await next();
    const oidc = ctx['oidc'] as KoaContextWithOIDC['oidc'] | undefined;
    if (oidc?.route !== 'end_session' || ctx.status !== 200 || !oidc.entities.IdTokenHint) return;
    const returnUrl = oidc.params?.['post_logout_redirect_uri'];
    if (typeof returnUrl !== 'string') return;
    await oidc.session?.destroy();
    ctx.cookies.set(provider.cookieName('session'), null);
    const target = new URL(returnUrl);
    const state = oidc.params?.['state'];
    if (typeof state === 'string') target.searchParams.set('state', state);
    ctx.status = 303;
    ctx.redirect(target.href);
  });
};

export const createProvider = (
  issuer: string,
  options: SandboxOptions,
  keys: SigningKeys,
  accounts: Accounts,
): Provider => {
  const provider = new Provider(issuer, configuration(options, keys, accounts));
  provider.on('server_error', (_ctx, error) => options.onError(`sign-in failed: ${error.message}`));
  switchAccounts(provider);
  signOutWithoutPage(provider);
  return provider;
};
