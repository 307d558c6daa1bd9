// A PostgreSQL address may name several hosts. They are tried one after the other, as in libpq.
// https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS

export interface PostgresAddress {
  /** One address for each host, in the order in which they are tried. */
  urls: readonly [string, ...string[]];
  /** Whether read-only servers, such as a standby, are skipped. */
  needsWriter: boolean;
}

/** The supported values of libpq's target_session_attrs. */
export const sessionAttributes = ['any', 'read-write', 'primary'];

const parts = /^([a-z]+:\/\/)([^@/?#]*@)?([^/?#]*)([^?#]*)(?:\?([^#]*))?$/;

/** Throws a TypeError if the text is not an address. */
export function readPostgresAddress(address: string): PostgresAddress {
  const [, scheme = '', account = '', authority = '', path = '', query = ''] = parts.exec(address) ?? [];
  const parameters = new URLSearchParams(query);
  const needsWriter = ['read-write', 'primary'].includes(parameters.get('target_session_attrs') ?? 'any');
  parameters.delete('target_session_attrs');
  const hosts = authority.split(',');
  const named = (parameters.get('host') ?? '').split(',');
  const ports = (parameters.get('port') ?? '').split(',');

  function addressOf(index: number): string {
    const own = new URLSearchParams(parameters);
    setOrDelete(own, 'host', named[index]);
    // A single port applies to all hosts.
    setOrDelete(own, 'port', ports.length === 1 ? ports[0] : ports[index]);
    const url = `${scheme}${account}${hosts[index] ?? ''}${path}${own.size === 0 ? '' : `?${own}`}`;
    // Throws if it is not a URL.
    new URL(url);
    return url;
  }

  const count = Math.max(hosts.length, named.length);
  const others = Array.from({ length: count - 1 }, (_, index) => addressOf(index + 1));
  return { urls: [addressOf(0), ...others], needsWriter };
}

export function isPostgresAddress(text: string): boolean {
  try {
    readPostgresAddress(text);
    return parts.test(text);
  } catch {
    return false;
  }
}

function setOrDelete(parameters: URLSearchParams, name: string, value: string | undefined): void {
  if (value === undefined || value === '') parameters.delete(name);
  else parameters.set(name, value);
}
