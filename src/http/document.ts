// A document prepared once and served many times: bytes in every encoding, each with its strong ETag and headers.
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { z } from 'zod';
import { RecentMap } from '../base/recent-map.ts';
import { parseWeightedList } from './weighted-list.ts';

const encodings = ['br', 'zstd', 'gzip'] as const;
type Encoding = (typeof encodings)[number] | 'identity';

/** Each answer is a clone of one of these responses. Its headers are copied, and the bytes are shared. */
interface Variant {
  etag: string;
  size: number;
  ok: Response;
  notModified: Response;
}

export interface PreparedDocument {
  variants: Record<Encoding, Variant>;
}

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Prepares every encoding. Compression runs in threads and does not block the event loop. Documents that any caller can
 * request need `quick`, because the best compression takes fifty times as long.
 */
export async function prepareDocument(
  content: string | Bytes,
  headers: Record<string, string>,
  effort: 'best' | 'quick' = 'best',
): Promise<PreparedDocument> {
  const bytes = bytesOf(content);
  // The best compression of a megabyte takes seconds, so only small documents get it.
  const isSmall = effort === 'best' && bytes.length < 64 * 1024;
  const [gzipped, brotli, zstd] = await Promise.all([
    compressGzip(bytes),
    compressBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: isSmall ? 11 : 4 } }),
    Bun.zstdCompress(bytes, { level: isSmall ? 19 : 3 }),
  ]);
  const etagBase = etagOf(bytes);
  const variant = (encoding: Encoding, body: Bytes) => makeVariant(encoding, body, etagBase, headers);
  const variants = {
    identity: variant('identity', bytes),
    gzip: variant('gzip', viewOf(gzipped)),
    br: variant('br', viewOf(brotli)),
    zstd: variant('zstd', viewOf(zstd)),
  };
  return { variants };
}

/** Does not compress. For answers that are unlikely to be requested again, and for content that is already compressed. */
export function prepareOnce(content: string | Bytes, headers: Record<string, string>): PreparedDocument {
  const bytes = bytesOf(content);
  const etagBase = etagOf(bytes);
  const plain = makeVariant('identity', bytes, etagBase, headers);
  return { variants: { identity: plain, gzip: plain, br: plain, zstd: plain } };
}

/** Frees the bytes of a document sooner than garbage collection would. Answers in progress are unaffected. */
export function releaseDocument({ variants }: PreparedDocument): void {
  for (const { ok } of Object.values(variants)) void ok.body?.cancel();
}

const bytesOf = (content: string | Bytes) =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content;

/** Begins a text that is built in parts. As one string, it would be in memory twice. */
export function startBytes(): Bun.ArrayBufferSink {
  const sink = new Bun.ArrayBufferSink();
  sink.start({ asUint8Array: true });
  return sink;
}

export const endBytes = (sink: Bun.ArrayBufferSink) => sink.end() as Bytes;

/** Shares the memory instead of copying the bytes. */
const viewOf = ({ buffer, byteOffset, byteLength }: Buffer): Bytes =>
  new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

/** A 128-bit hash. It is not cryptographic, because an ETag only says whether bytes are the same. */
function etagOf(bytes: Bytes): string {
  const halves = new BigUint64Array([Bun.hash.xxHash3(bytes, 0n), Bun.hash.xxHash3(bytes, 1n)]);
  return Buffer.from(halves.buffer).toString('base64url');
}

function makeVariant(encoding: Encoding, body: Bytes, etagBase: string, headers: Record<string, string>): Variant {
  const etag = encoding === 'identity' ? `"${etagBase}"` : `"${etagBase}-${encoding}"`;
  const { 'Content-Type': contentType = 'application/octet-stream', ...validators } = headers;
  const kept = { ...validators, ETag: etag };
  return {
    etag,
    size: body.length,
    // Not a Blob, because the garbage collector does not count its memory, and copies of a large list would pile up.
    ok: new Response(body, {
      headers: {
        ...kept,
        'Content-Type': contentType,
        ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
      },
    }),
    notModified: new Response(null, { status: 304, headers: kept }),
  };
}

/** The request headers that the answer depends on. */
export const DocumentHeaders = z.object({
  'Accept-Encoding': z.string().optional(),
  'If-None-Match': z.string().optional(),
});
export type DocumentHeaders = z.infer<typeof DocumentHeaders>;

export function serveDocument(document: PreparedDocument, headers: DocumentHeaders): Response {
  return serveVariant(document, headers['Accept-Encoding'], headers['If-None-Match']);
}

export function serveVariant(
  { variants }: PreparedDocument,
  acceptEncoding: string | undefined,
  ifNoneMatch: string | undefined,
): Response {
  const chosen = chooseVariant(variants, acceptEncoding);
  if (ifNoneMatch === undefined) return copyOf(chosen.ok);
  if (ifNoneMatch === chosen.etag) return copyOf(chosen.notModified);
  return confirmNamed(variants, chosen, ifNoneMatch, acceptEncoding) ?? copyOf(chosen.ok);
}

// The declared type is another library's Response, not Bun's.
const copyOf = (answer: Response) => answer.clone() as Response;

/**
 * RFC 9110 section 13.1.2. A client also gets a 304 if it has stored the document in an encoding that it still accepts, but that
 * is not the one chosen now. The 304 has the ETag of the stored answer, because a cache applies it only to the answer with that
 * ETag (RFC 9111 section 4.3.4).
 */
function confirmNamed(
  variants: PreparedDocument['variants'],
  chosen: Variant,
  ifNoneMatch: string,
  acceptEncoding: string | undefined,
): Response | undefined {
  if (ifNoneMatch.trim() === '*') return copyOf(chosen.notModified);
  const named = ifNoneMatch.split(',').map((tag) => tag.trim());
  const others = (['identity', ...encodings] as const).filter((encoding) => isAcceptable(acceptEncoding, encoding));
  for (const variant of [chosen, ...others.map((encoding) => variants[encoding])]) {
    if (named.includes(variant.etag)) return copyOf(variant.notModified);
    const weak = `W/${variant.etag}`;
    if (!named.includes(weak)) continue;
    const answer = copyOf(variant.notModified);
    answer.headers.set('ETag', weak);
    return answer;
  }
  return undefined;
}

// Browsers send few different values, so the results are cached. Bounded, since a client can send any value.
const chosen = new RecentMap<Encoding>(50);

function chooseVariant(variants: PreparedDocument['variants'], header: string | undefined): Variant {
  if (header === undefined) return variants.identity;
  let encoding = chosen.get(header);
  if (encoding === undefined) {
    encoding = negotiateEncoding(header);
    chosen.set(header, encoding);
  }
  return variants[encoding];
}

/** RFC 9110 section 12.5.3. Among equal weights, chooses the encoding that compresses best. */
export function negotiateEncoding(header: string): Encoding {
  const weights = readWeights(header);
  // Identity is chosen only if its explicit weight is higher than the weight of each compression.
  let best: Encoding = 'identity';
  let bestWeight = weights.get('identity') ?? 0;
  for (const encoding of [...encodings].reverse()) {
    const weight = weightOf(weights, encoding);
    if (weight > 0 && weight >= bestWeight) {
      best = encoding;
      bestWeight = weight;
    }
  }
  return best;
}

/** Without the header, every encoding is acceptable. Identity is acceptable unless it is excluded. */
function isAcceptable(header: string | undefined, encoding: Encoding): boolean {
  return header === undefined || weightOf(readWeights(header), encoding, encoding === 'identity' ? 1 : 0) > 0;
}

function weightOf(weights: ReadonlyMap<string, number>, encoding: Encoding, unnamed = 0): number {
  return weights.get(encoding) ?? weights.get('*') ?? unnamed;
}

function readWeights(header: string): Map<string, number> {
  return new Map(parseWeightedList(header).map(({ name, weight }) => [name, weight]));
}
