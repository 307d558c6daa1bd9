// Keeps the open streams of server-sent events, sends events to them, and closes them.
import type { Principal } from '../../http/access.ts';
import { noStore } from '../../http/headers.ts';
import { Problem } from '../../http/problem.ts';

export interface Subscriber {
  principal: Principal;
  /** The last change that was sent to this client. */
  seq: number;
  controller: ReadableStreamDefaultController<Uint8Array>;
}

// A few thousand events. A client with that many unread is disconnected or stuck; it can resume from its last event.
const longestBacklog = 256 * 1024;
/** Each stream holds a connection and memory. The route's description repeats the number. */
const mostPerPerson = 10;

export class Subscribers {
  readonly #open = new Set<Subscriber>();
  readonly #encoder = new TextEncoder();
  readonly #mayStay: (principal: Principal) => boolean;
  readonly #heartbeat: ReturnType<typeof setInterval>;

  constructor(mayStay: (principal: Principal) => boolean, heartbeatMs: number) {
    this.#mayStay = mayStay;
    this.#heartbeat = setInterval(() => {
      for (const subscriber of this.#open) this.send(subscriber, ':\n\n');
    }, heartbeatMs);
  }

  /**
   * Refuses a new stream if the person has too many. If an old one were closed instead, its client would reconnect, and
   * clients would close each other's streams forever.
   */
  expectRoomFor({ employeeId }: Principal): void {
    const own = [...this.#open].filter(({ principal }) => principal.employeeId === employeeId);
    if (own.filter(({ principal }) => this.#mayStay(principal)).length >= mostPerPerson) {
      throw new Problem('rate-limited');
    }
  }

  add(principal: Principal, seq: number, firstText: string): Response {
    let subscriber: Subscriber | undefined;
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          subscriber = { principal, controller, seq };
          this.#open.add(subscriber);
          this.send(subscriber, firstText);
        },
        cancel: () => {
          if (subscriber !== undefined) this.#close(subscriber);
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: longestBacklog }),
    );
    // Without X-Accel-Buffering, nginx would hold events back until its buffer is full.
    return new Response(body, {
      headers: { ...noStore, 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' },
    });
  }

  /** Sends a text, or closes the stream if the person may no longer watch or the client does not read. */
  send(subscriber: Subscriber, text: string): void {
    if (text === '') return;
    const { principal, controller } = subscriber;
    if (!this.#mayStay(principal) || (controller.desiredSize ?? 0) <= 0) this.#close(subscriber);
    else controller.enqueue(this.#encoder.encode(text));
  }

  [Symbol.iterator](): Iterator<Subscriber> {
    return this.#open.values();
  }

  get size(): number {
    return this.#open.size;
  }

  closeAll(): void {
    clearInterval(this.#heartbeat);
    for (const subscriber of this.#open) this.#close(subscriber);
  }

  #close(subscriber: Subscriber): void {
    if (!this.#open.delete(subscriber)) return;
    try {
      subscriber.controller.close();
    } catch {
      // The client has closed it already.
    }
  }
}
