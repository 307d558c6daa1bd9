// Sends HTTP as raw bytes, for requests that no client library would send.
import { connect, type Socket } from 'node:net';

interface RawAnswer {
  status: number;
  headers: Headers;
}

/** Returns the status and headers of every answer in the received text. */
export function answersIn(text: string): RawAnswer[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3})[^\r]*\r\n((?:[^\r]+\r\n)*)/g)].map(([, status, head = '']) => ({
    status: Number(status),
    headers: new Headers(
      head
        .split('\r\n')
        .filter((line) => line !== '')
        .map(
          (line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()] as [string, string],
        ),
    ),
  }));
}

/** Sends this text and, once an answer has begun, the rest. Returns everything that is received until the server closes. */
export async function sendRaw(url: string, text: string, rest?: string): Promise<string> {
  const { received, socket } = open(url);
  if (rest !== undefined) socket.once('data', () => socket.write(rest));
  socket.write(text);
  return received;
}

/** Sends the same part repeatedly until the server closes. Returns how many bytes were sent, and the answer. */
export async function sendEndlessly(url: string, head: string, part: string, most: number) {
  const { received, socket } = open(url);
  let isOver = false;
  void received.then(() => {
    isOver = true;
  });
  let sent = 0;
  socket.write(head);
  while (!isOver && sent < most) {
    sent += part.length;
    if (!socket.write(part)) await Promise.race([received, new Promise((resolve) => socket.once('drain', resolve))]);
  }
  socket.destroy();
  return { sent, text: await received };
}

function open(url: string): { received: Promise<string>; socket: Socket } {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setNoDelay(true);
  const received = new Promise<string>((resolve) => {
    let text = '';
    socket.on('data', (data) => {
      text += data;
    });
    // If the server closes while data is being sent to it, the connection is reset.
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });
  return { received, socket };
}
