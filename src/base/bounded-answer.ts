/** A server's answer, such as a Response. */
export interface Answer {
  status: number;
  headers: Headers;
  body: AsyncIterable<Uint8Array> | null;
}

/** The whole body of an answer, or undefined if it is longer than this. */
export async function readAtMost(
  { body }: Pick<Answer, 'body'>,
  most: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > most) return undefined;
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
