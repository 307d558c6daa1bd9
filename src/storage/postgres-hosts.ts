// The servers that DATABASE_URL names. A connection is made to the one that worked last, or to the next.
import { type Client, type ClientConfig, TypeOverrides, types } from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { readPostgresAddress } from '../base/postgres-address.ts';

/** Parses 64-bit integers as numbers, as SQLite does, instead of as text. No value here exceeds a safe integer. */
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

  get current(): ClientConfig {
    return this.#configs[this.#current] ?? {};
  }

  /** Moves on to the next server, unless another failed connection has already done so. */
  passOver(failed: ClientConfig): void {
    if (failed === this.current) this.#current = (this.#current + 1) % this.count;
  }

  /** Throws if the server is read-only and DATABASE_URL requires a writable one. */
  async expectWriter(client: Pick<Client, 'query'>): Promise<void> {
    if (!this.#needsWriter) return;
    const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only');
    if (rows[0]?.transaction_read_only !== 'off') throw new OnlyReads();
  }
}

/** Thrown for a standby, or for a server that is set to read-only. */
class OnlyReads extends Error {
  readonly reason = 'no server that can be written to';
}
