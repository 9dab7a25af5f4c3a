// The accounts that the sandbox offers by one click: signed in once, two of them with a subscription at its Stripe.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { root } from '@tapedeck/prepare';
import { bundleOf } from '@tapedeck/prepare/programs';
import { emailOf, personas } from './sandbox-environment.mjs';

const maxRedirects = 20;

/** A browser without scripts: cookies by host, and redirects as they come. */
const createBrowser = () => {
  /** @type {Map<string, Map<string, string>>} */
  const jars = new Map();
  /** @param {URL} url */
  const jarOf = (url) => {
    const jar = jars.get(url.host) ?? new Map();
    jars.set(url.host, jar);
    return jar;
  };
  /** @param {URL} url @param {RequestInit} [init] */
  const request = async (url, init = {}) => {
    const jar = jarOf(url);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      ...init,
      headers: { ...init.headers, cookie, 'sec-fetch-site': 'same-origin' },
      redirect: 'manual',
    });
    for (const header of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  };
  /** @param {URL} first */
  const open = async (first) => {
    for (let url = first, redirects = 0; redirects < maxRedirects; redirects++) {
      const response = await request(url);
      await response.arrayBuffer();
      const location = response.headers.get('location');
      if (location === null) return;
      url = new URL(location, url);
    }
    throw new Error(`${first.href} redirects without end.`);
  };
  return { request, open };
};

/** @param {Response} response @param {string} what */
const jsonOf = async (response, what) => {
  const text = await response.text();
  if (!response.ok) throw new Error(`${what} was answered with ${response.status}: ${text.slice(0, 300)}`);
  return JSON.parse(text);
};

/** @param {string} origin @param {string} email */
const signIn = async (origin, email) => {
  const browser = createBrowser();
  await browser.open(new URL(`/api/login?login_hint=${encodeURIComponent(email)}`, origin));
  await jsonOf(await browser.request(new URL('/api/auth/user', origin)), `Signing in as ${email}`);
  return browser;
};

const maxWaitMs = 30_000;

/**
 * Buys a plan as a person does: by the checkout page of the sandbox.
 * @param {string} origin @param {ReturnType<typeof createBrowser>} browser @param {string} tier
 */
const subscribe = async (origin, browser, tier) => {
  const at = (/** @type {string} */ path) => new URL(path, origin);
  const { tier: current } = await jsonOf(await browser.request(at('/api/member/tier')), 'The tier');
  if (current === tier) return;
  const created = await browser.request(at(`/api/create-${tier.toLowerCase()}-subscription`), {
    method: 'POST',
  });
  const { checkoutUrl } = await jsonOf(created, `The checkout of ${tier}`);
  const paid = await fetch(checkoutUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    body: 'card=ok',
    redirect: 'manual',
  });
  if (paid.status !== 303) throw new Error(`The payment of ${tier} was answered with ${paid.status}.`);
  for (const deadline = performance.now() + maxWaitMs; ;) {
    const member = await jsonOf(await browser.request(at('/api/member/tier')), 'The tier');
    if (member.tier === tier && member.active) return;
    if (performance.now() > deadline) throw new Error(`The payment of ${tier} had no effect.`);
    await setTimeout(50);
  }
};

/**
 * Fills in the profile, without which the dashboard asks for it.
 * @param {string} origin @param {ReturnType<typeof createBrowser>} browser @param {string} persona
 */
const completeProfile = async (origin, browser, persona) => {
  const name = persona.toLowerCase();
  const answer = await browser.request(new URL('/api/complete-profile', origin), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ discordEmail: `${name}@discord.example`, tradingViewUsername: name }),
  });
  await jsonOf(answer, `The profile of ${persona}`);
};

/**
 * Registers the accounts with complete profiles, and gives them their roles and subscriptions. It can be repeated.
 * @param {string} origin @param {import('@tapedeck/dev-postgres/system-user').Owner & { env: NodeJS.ProcessEnv }} program how a program runs that may append
 */
export const makeDemoAccounts = async (origin, program) => {
  const signInAs = async (/** @type {string} */ persona) => {
    const browser = await signIn(origin, emailOf(persona));
    await completeProfile(origin, browser, persona);
    return browser;
  };
  // Before the roles, which end their sessions.
  const [, pro, elite] = await Promise.all(personas.map(signInAs));
  const grant = (/** @type {string} */ role) => {
    const args = [join(root, bundleOf('role')), 'grant', role, emailOf(role)];
    return promisify(execFile)(process.execPath, args, program);
  };
  await Promise.all([
    grant('admin'),
    grant('support'),
    pro && subscribe(origin, pro, 'Pro'),
    elite && subscribe(origin, elite, 'Elite'),
  ]);
};
