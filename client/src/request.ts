import { isTokenRefused, type SendRequest } from './call.ts';
import type { FrontdeskError } from './error.ts';

/** Where requests get their access token from: a person's session, or a program's assertion. */
export interface Tokens {
  /** A token that can be used now. */
  token(): Promise<string>;
  /** A token to replace the one that was refused. */
  replace(token: string, error: FrontdeskError): Promise<string>;
  /** Resolves when a background request may be sent. */
  presence(signal: AbortSignal | undefined): Promise<void>;
}

/** Creates a function that sends requests with the access token. If the token is refused, it retries once with a new one. */
export function createRequest(call: SendRequest, tokens: Tokens): SendRequest {
  return async (path, init = {}) => {
    const send = (token: string) => {
      const headers = new Headers(init.headers);
      headers.set('Authorization', `Bearer ${token}`);
      return call(path, { ...init, headers });
    };
    const token = await tokens.token();
    try {
      return await send(token);
    } catch (error) {
      if (!isTokenRefused(error)) throw error;
      const next = await tokens.replace(token, error);
      // A stream has been read and cannot be sent again.
      if (init.body instanceof ReadableStream) throw error;
      return send(next);
    }
  };
}
