const maxRedirects = 20;

/** Signs in at the sandbox's provider by following redirects; returns the cookies of the product. */
export const signIn = async (origin: string, email: string): Promise<string> => {
  // Cookies by host without the port, as in browsers.
  const jars = new Map<string, Map<string, string>>();
  let url = new URL(
    `/api/login?${new URLSearchParams({ login_hint: email, returnTo: '/' }).toString()}`,
    origin,
  );
  for (let redirects = 0; redirects < maxRedirects; redirects++) {
    const jar = jars.get(url.host) ?? new Map<string, string>();
    jars.set(url.host, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { headers: { cookie }, redirect: 'manual' });
    await response.arrayBuffer();
    for (const header of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) break;
    url = new URL(location, url);
  }
  const cookies = [...(jars.get(new URL(origin).host) ?? [])].map(([name, value]) => `${name}=${value}`);
  const response = await fetch(new URL('/api/auth/user', origin), {
    headers: { cookie: cookies.join('; ') },
  });
  if (response.status !== 200) throw new Error(`${email} could not be signed in: status ${response.status}.`);
  return cookies.join('; ');
};
