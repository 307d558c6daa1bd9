// A call on a connection that answered within the last second, or on a new one. fetch keeps connections for minutes and
// takes any of them: what is sent on one that has died meanwhile is lost.
import * as http from 'node:http';
import * as https from 'node:https';
import { pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Answer } from '../../http/bounded-answer.ts';

/** Shorter than servers keep an idle connection (Node 5 s, others longer), and than anything between forgets one. */
const longestIdleMs = 1000;

// The one used last is taken first, so that the others grow old and are closed.
const options = { keepAlive: true, scheduling: 'lifo', timeout: longestIdleMs } as const;
const plain = { request: http.request, agent: new http.Agent(options) };
const secure = { request: https.request, agent: new https.Agent(options) };

export async function fetchOnFreshConnection(url: string, init: RequestInit, signal: AbortSignal): Promise<Answer> {
  const { request, agent } = url.startsWith('https:') ? secure : plain;
  const headers = { ...Object.fromEntries(new Headers(init.headers)), 'accept-encoding': 'identity' };
  const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const sent = request(url, { method: init.method ?? 'GET', headers, agent, signal }, resolve);
    sent.on('error', (error) => reject(causeOf(error, signal))).end(String(init.body ?? ''));
  });
  const received = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]);
  return { status: answer.statusCode ?? 0, headers: new Headers(received), body: bodyOf(answer, signal) };
}

/** Asked for plain answers, some gateways compress all the same. fetch unpacks by itself, node:http does not. */
const unpackers = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

function unpacked(answer: http.IncomingMessage): AsyncIterable<Uint8Array> {
  const encoding = answer.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (!Object.hasOwn(unpackers, encoding)) return answer;
  // The error reaches the reader of the body.
  return pipeline(answer, unpackers[encoding as keyof typeof unpackers](), () => {});
}

async function* bodyOf(answer: http.IncomingMessage, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* unpacked(answer);
  } catch (error) {
    throw causeOf(error, signal);
  }
}

/** As fetch has it: where time is up, the signal's reason. */
const causeOf = (error: unknown, signal: AbortSignal): unknown => (signal.aborted ? signal.reason : error);
