type Cookie = { readonly name: string; value: string; readonly host: string; readonly path: string };

const maxRedirects = 20;

const covers = (cookie: Cookie, url: URL): boolean =>
  cookie.host === url.hostname &&
  (url.pathname === cookie.path ||
    url.pathname.startsWith(cookie.path.endsWith('/') ? cookie.path : `${cookie.path}/`));

const isExpired = (attributes: ReadonlyMap<string, string>): boolean => {
  const maxAge = attributes.get('max-age');
  if (maxAge !== undefined) return Number(maxAge) <= 0;
  const expires = attributes.get('expires');
  return expires !== undefined && Date.parse(expires) <= Date.now();
};

export type Browser = Readonly<{
  /** One request with the cookies of its host; does not follow redirects. */
  request: (url: string, init?: RequestInit) => Promise<Response>;
  /** Follows redirects to the first other answer, or to the first address for which `until` holds; does not open that. */
  visit: (
    url: string,
    options?: { readonly init?: RequestInit; readonly until?: (url: URL) => boolean },
  ) => Promise<Readonly<{ url: URL; response: Response; hops: readonly string[] }>>;
  cookieHeader: (url: string) => string;
  setCookie: (url: string, name: string, value: string) => void;
  cookieNames: () => readonly string[];
}>;

/** `fetch` with a cookie jar that selects cookies as browsers do: by host and path, not by port. */
export const createBrowser = (): Browser => {
  let cookies: readonly Cookie[] = [];

  const setCookie = (url: URL, header: string): void => {
    const [pair = '', ...rest] = header.split(/; */);
    const at = pair.indexOf('=');
    const attributes = new Map(
      rest.map((part) => {
        const [name = '', value = ''] = part.split('=');
        return [name.toLowerCase(), value];
      }),
    );
    const cookie = {
      name: pair.slice(0, at),
      value: pair.slice(at + 1),
      host: url.hostname,
      path: attributes.get('path') ?? '/',
    };
    cookies = cookies.filter(
      ({ name, host, path }) => name !== cookie.name || host !== cookie.host || path !== cookie.path,
    );
    if (!isExpired(attributes)) cookies = [...cookies, cookie];
  };

  const cookieHeader = (url: string): string =>
    cookies
      .filter((cookie) => covers(cookie, new URL(url)))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');

  const request = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    const cookie = cookieHeader(url);
    if (cookie !== '' && !headers.has('cookie')) headers.set('cookie', cookie);
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const header of response.headers.getSetCookie()) setCookie(new URL(url), header);
    return response;
  };

  const visit: Browser['visit'] = async (start, { init, until = () => false } = {}) => {
    let url = new URL(start);
    let response = await request(url.href, init);
    const hops = [url.href];
    for (let hop = 0; hop < maxRedirects; hop++) {
      const location = response.headers.get('location');
      if (response.status < 300 || response.status > 399 || location === null) break;
      url = new URL(location, url);
      hops.push(url.href);
      if (until(url)) break;
      await response.arrayBuffer();
      response = await request(url.href);
    }
    return { url, response, hops };
  };

  return {
    request,
    visit,
    cookieHeader,
    setCookie: (url, name, value) => setCookie(new URL(url), `${name}=${value}`),
    cookieNames: () => cookies.map(({ name }) => name),
  };
};
