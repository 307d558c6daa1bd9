/** From sysexits.h. */
export const exitCodes = { failure: 1, usage: 64, wrongData: 65, tryAgain: 75, notPermitted: 77, configuration: 78 };

/** Ends the process with this message and exit code. The message is empty if a worker has already printed it. */
export class ExitError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = exitCodes.failure) {
    super(message);
    this.name = new.target.name;
    this.exitCode = exitCode;
  }
}
