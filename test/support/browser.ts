// A scripted browser: keeps cookies and follows redirects, one step at a time.

interface Cookie {
  name: string;
  value: string;
  path: string;
}

export class Browser {
  readonly cookies = new Map<string, Cookie>();
  readonly #headers: Record<string, string>;

  /** `headers` are sent with every request. */
  constructor(headers: Record<string, string> = {}) {
    this.#headers = headers;
  }

  /** Sends one request and follows no redirect. Cookies of localhost are shared by all its ports, as in every browser. */
  async request(url: string | URL, init: RequestInit = {}): Promise<Response> {
    const { pathname } = new URL(url);
    const sent = [...this.cookies.values()].filter(({ path }) => pathname.startsWith(path));
    const headers = new Headers({ ...this.#headers, ...Object.fromEntries(new Headers(init.headers)) });
    if (sent.length > 0) headers.set('cookie', sent.map(({ name, value }) => `${name}=${value}`).join('; '));
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    return response;
  }

  /** Follows redirects to the end, or to the address that `until` accepts, which is then not requested. */
  async follow(
    start: string | URL,
    until: (url: URL) => boolean = () => false,
  ): Promise<{ url: URL; response: Response }> {
    let url = new URL(start);
    let response = await this.request(url);
    for (let hops = 0; hops < 12; hops++) {
      const location = response.headers.get('location');
      if (location === null) return { url, response };
      url = new URL(location, url);
      if (until(url)) return { url, response };
      response = await this.request(url);
    }
    throw new Error('too many redirects');
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const name = pair.slice(0, pair.indexOf('='));
    const value = pair.slice(pair.indexOf('=') + 1);
    const path = attributes.find((each) => /^path=/i.test(each))?.slice(5) ?? '/';
    const isGone = attributes.some((each) => /^max-age=0$/i.test(each) || /^expires=Thu, 01 Jan 1970/i.test(each));
    if (isGone) this.cookies.delete(name + path);
    else this.cookies.set(name + path, { name, value, path });
  }
}
