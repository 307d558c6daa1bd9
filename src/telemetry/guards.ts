// What is known of a value of unknown type: a thrown error, a claim, a body.

/** Arrays are objects too. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The error, its cause, the cause of that, and so on. */
export function* causesOf(error: unknown): Generator<Error> {
  for (let each = error; each instanceof Error; each = each.cause) yield each;
}

/** The `code` of a system's, a library's or our own error. */
export function codeOf(error: unknown): unknown {
  return isObject(error) ? error.code : undefined;
}
