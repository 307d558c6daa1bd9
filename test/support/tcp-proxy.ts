// A network that can be cut. As with an unplugged cable, connections stay open but nothing arrives. Data that was sent
// meanwhile arrives once the network is restored, as with TCP.
import { connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  port: number;
  cut(): void;
  heal(): void;
  stop(): void;
}

export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let held: (() => void)[] | undefined;
  const pass = (deliver: () => void) => (held === undefined ? deliver() : held.push(deliver));

  const server = createServer((near) => {
    const far = connect(targetPort, 'localhost');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => pass(() => to.write(chunk)));
      from.on('end', () => pass(() => to.end()));
      from.on('error', () => pass(() => to.destroy()));
      from.on('close', () => sockets.delete(from));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return {
    port: (server.address() as { port: number }).port,
    cut() {
      held ??= [];
    },
    heal() {
      const late = held ?? [];
      held = undefined;
      for (const deliver of late) deliver();
    },
    stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
