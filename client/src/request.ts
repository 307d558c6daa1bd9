import { isTokenRefused, type SendRequest } from './call.ts';
import type { Renewal } from './renewal.ts';

/** A request with the access token. One whose token is refused is repeated once, with a new one. */
export function createRequest(call: SendRequest, renewal: Renewal): SendRequest {
  return async (path, init = {}) => {
    const send = (token: string) => {
      const headers = new Headers(init.headers);
      headers.set('Authorization', `Bearer ${token}`);
      return call(path, { ...init, headers });
    };
    const token = await renewal.token();
    try {
      return await send(token);
    } catch (error) {
      if (!isTokenRefused(error)) throw error;
      const next = await renewal.replace(token, error);
      // A stream has been read, and cannot be sent again.
      if (init.body instanceof ReadableStream) throw error;
      return send(next);
    }
  };
}
