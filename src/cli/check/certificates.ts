// Checks TLS at the provider's endpoints: whether it is used, whether the certificates are trusted, and when they expire.
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { callTimeoutMs } from '../../auth/provider/fetch.ts';
import { isLoopback } from '../../base/loopback.ts';
import { describeCode, type Finding, findingsAbout } from './finding.ts';

const finding = findingsAbout('TLS');
const dayMs = 86_400_000;
const warningDays = 21;

interface Certificate {
  protocol: string;
  expiresAt: Date;
  /** The error code, if the certificate is not trusted. */
  fault: string | undefined;
}

/** One finding for each server. */
export async function checkTls(addresses: readonly string[], now: Date): Promise<Finding[]> {
  const urls = addresses.filter((address) => URL.canParse(address)).map((address) => new URL(address));
  const origins = new Map(urls.map((url) => [url.origin, url]));
  return Promise.all([...origins.values()].map((url) => checkServer(url, now)));
}

async function checkServer(url: URL, now: Date): Promise<Finding> {
  const { origin, protocol, hostname } = url;
  if (protocol !== 'https:') {
    if (isLoopback(hostname)) return finding('ok', `${origin} is on this machine, without TLS`);
    const danger = "codes, tokens and the client's secret can be read in transit. Use https";
    return finding('warns', `${origin} is plain http: ${danger}`);
  }
  try {
    return judge(origin, await readCertificate(url), now);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    return finding('warns', `${origin}: could not be checked: ${describeCode(code)}`);
  }
}

function judge(origin: string, { protocol, expiresAt, fault }: Certificate, now: Date): Finding {
  if (fault !== undefined) return finding('FAILS', `${origin}: ${describeCode(fault)}`);
  const day = expiresAt.toISOString().slice(0, 10);
  const found = `${origin}: ${protocol}, certificate valid until ${day}`;
  const isSoon = expiresAt.getTime() - now.getTime() < warningDays * dayMs;
  return isSoon ? finding('warns', `${found}: it must be renewed before that day`) : finding('ok', found);
}

/**
 * Makes only the TLS handshake and sends no request. Returns the certificate, and the reason if it is not trusted.
 */
function readCertificate({ hostname, port }: URL): Promise<Certificate> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const { promise, resolve, reject } = Promise.withResolvers<Certificate>();
  // RFC 6066 section 3: an IP address is not sent as a name.
  const named = isIP(host) === 0 && { servername: host };
  // An untrusted certificate does not close the connection. `fault` contains the reason.
  const socket = connect({ host, port: Number(port || 443), ...named, rejectUnauthorized: false });
  const timer = setTimeout(() => reject(Object.assign(new Error(), { code: 'idp-timeout' })), callTimeoutMs);
  socket.once('error', reject);
  socket.once('secureConnect', () => {
    const { valid_to } = socket.getPeerCertificate();
    const expiresAt = new Date(valid_to);
    if (Number.isNaN(expiresAt.getTime())) reject(Object.assign(new Error(), { code: 'no certificate' }));
    const fault = socket.authorized ? undefined : String(socket.authorizationError);
    resolve({ protocol: socket.getProtocol() ?? 'TLS', expiresAt, fault });
  });
  return promise.finally(() => {
    clearTimeout(timer);
    socket.destroy();
  });
}
