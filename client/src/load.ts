// Reads JSON. Simultaneous calls for the same data share a request, and if the data is unchanged, the answer is a 304.

import type { SendRequest } from './call.ts';
import { networkError } from './error.ts';
import type { Session } from './session.ts';

const maxAnswers = 100;

/** Keys are path and language. Answers are kept as text, so that each caller gets its own object. */
interface Cache {
  answers: Map<string, { etag: string; text: string }>;
  pending: Map<string, Promise<unknown>>;
}

export interface LoadOptions {
  language?: string | undefined;
  /** Cancels the request. A request with a signal is not shared with other callers. */
  signal?: AbortSignal | undefined;
}

export function createLoad(request: SendRequest, session: Session, defaultLanguage: string | undefined) {
  let cache: Cache = { answers: new Map(), pending: new Map() };
  let cachedFor = 0;

  /** Begins a new cache for each person, so that nobody sees another person's data. */
  function currentCache(): Cache {
    const { personNumber } = session.state();
    if (personNumber !== cachedFor) cache = { answers: new Map(), pending: new Map() };
    cachedFor = personNumber;
    return cache;
  }

  return <T>(path: string, { language = defaultLanguage, signal }: LoadOptions = {}): Promise<T> => {
    const key = `${path} ${language ?? ''}`;
    const { answers, pending } = currentCache();
    const ask = () => fetchText(path, { language, signal }, key, answers).then((text) => JSON.parse(text) as T);
    if (signal !== undefined) return ask();
    const shared = pending.get(key) as Promise<T> | undefined;
    if (shared !== undefined) return shared;
    const loading = ask().finally(() => pending.delete(key));
    pending.set(key, loading);
    return loading;
  };

  async function fetchText(path: string, { language, signal }: LoadOptions, key: string, answers: Cache['answers']) {
    const known = answers.get(key);
    const headers: Record<string, string> = {};
    if (known !== undefined) headers['If-None-Match'] = known.etag;
    if (language !== undefined) headers['Accept-Language'] = language;
    const response = await request(path, { headers, ...(signal && { signal }) });
    if (response.status === 304 && known !== undefined) return known.text;
    const text = await response.text().catch((cause: unknown) => {
      throw networkError(cause);
    });
    const etag = response.headers.get('etag');
    if (etag !== null) {
      if (answers.size >= maxAnswers) answers.clear();
      answers.set(key, { etag, text });
    }
    return text;
  }
}
