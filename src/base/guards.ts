// Checks for values of unknown type, such as a thrown error, a claim or a body.

/** Also true for arrays. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The error, its cause, the cause of that, and so on. */
export function* causesOf(error: unknown): Generator<Error> {
  for (let each = error; each instanceof Error; each = each.cause) yield each;
}

/** The `code` of an error, whether from the system, a library or Frontdesk. */
export function codeOf(error: unknown): unknown {
  return isObject(error) ? error.code : undefined;
}

/** The value of a JSON text; undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
