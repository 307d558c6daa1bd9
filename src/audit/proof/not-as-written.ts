/** What is wrong with the audit, in words. */
export class NotAsWritten extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotAsWritten';
  }
}
