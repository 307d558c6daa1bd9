/** Ends the process with this message and exit code. The message is empty if a worker has already printed it. */
export class ExitError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.name = new.target.name;
    this.exitCode = exitCode;
  }
}
