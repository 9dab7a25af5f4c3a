import { favouriteRoutes } from '@tapedeck/favourites/contract';
import { identityRoutes } from '@tapedeck/identity/contract';
import { newId } from '@tapedeck/kernel';
import { createBrowser } from '@tapedeck/sandbox/testing';

/** A member who has signed in. */
export type Member = Readonly<{
  get: (path: string, headers?: Readonly<Record<string, string>>) => Promise<Response>;
  email: () => Promise<string>;
  /** Returns the status. */
  star: (urlId: string) => Promise<number>;
  starred: () => Promise<readonly string[]>;
}>;

export const signIn = async (url: string, email: string): Promise<Member> => {
  const browser = createBrowser();
  await browser.visit(`${url}${identityRoutes.login}?login_hint=${email}&returnTo=/`);
  const get: Member['get'] = (path, headers = {}) => browser.request(`${url}${path}`, { headers });
  const json = async <T>(path: string): Promise<T> => (await (await get(path)).json()) as T;
  return {
    get,
    email: async () => (await json<{ email: string }>(identityRoutes.user)).email,
    star: async (urlId) => {
      const headers = { origin: url, 'content-type': 'application/json', 'idempotency-key': newId() };
      const body = JSON.stringify({ urlId, tags: [] });
      return (await browser.request(`${url}${favouriteRoutes.list}`, { method: 'POST', headers, body }))
        .status;
    },
    starred: async () =>
      (await json<readonly { urlId: string }[]>(favouriteRoutes.list)).map(({ urlId }) => urlId).sort(),
  };
};
