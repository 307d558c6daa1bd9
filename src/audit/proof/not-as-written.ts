/** The audit was tampered with. The message says where. */
export class NotAsWritten extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotAsWritten';
  }
}
