// Reading server-sent events, as far as Frontdesk sends them. Parsers of the standard drop an event without data, and its
// id with it; Frontdesk sends one when a stream opens, and a client that is disconnected then resumes from that id.
import { networkError } from './error.ts';

interface ServerSentEvent {
  id?: string;
  data?: string;
}

export async function* readServerSentEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { value, done } = await reader.read().catch((cause: unknown) => {
        throw networkError(cause);
      });
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      yield* blocks.map(parseEvent);
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function parseEvent(block: string): ServerSentEvent {
  const event: ServerSentEvent = {};
  for (const line of block.split('\n')) {
    const [, name, content = ''] = /^(id|data): (.*)$/.exec(line) ?? [];
    if (name === 'id' || name === 'data') event[name] = content;
  }
  return event;
}
