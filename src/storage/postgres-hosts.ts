// The servers that DATABASE_URL names. A connection is made to the one that was right last, or to the next.
import { type Client, type ClientConfig, TypeOverrides, types } from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { readPostgresAddress } from '../base/postgres-address.ts';

/** Numbers of 64 bits as SQLite returns them, and not as text: none here exceeds what a number holds. */
const parsers = new TypeOverrides();
parsers.setTypeParser(types.builtins.INT8, Number);

export class Hosts {
  readonly #configs: readonly ClientConfig[];
  readonly #needsWriter: boolean;
  #current = 0;

  constructor(address: string) {
    const { urls, needsWriter } = readPostgresAddress(address);
    const ours = { application_name: 'frontdesk', keepAlive: true, types: parsers };
    this.#configs = urls.map((url) => ({ ...ours, ...parseIntoClientConfig(url) }));
    this.#needsWriter = needsWriter;
  }

  get count(): number {
    return this.#configs.length;
  }

  /** The one to connect to. */
  get current(): ClientConfig {
    return this.#configs[this.#current] ?? {};
  }

  /** Goes on to the next, unless another connection that failed has done so. */
  passOver(failed: ClientConfig): void {
    if (failed === this.current) this.#current = (this.#current + 1) % this.count;
  }

  /** Throws at a server that only reads, where DATABASE_URL asks for one that can be written to. */
  async expectWriter(client: Pick<Client, 'query'>): Promise<void> {
    if (!this.#needsWriter) return;
    const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only');
    if (rows[0]?.transaction_read_only !== 'off') throw new OnlyReads();
  }
}

/** A standby, or a server on which everything is set to be read only. */
class OnlyReads extends Error {
  readonly reason = 'no server that can be written to';
}
