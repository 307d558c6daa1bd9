// Why the command fails, and its exit code from sysexits.h, as in the service's own command line.

export const exitCodes = { failure: 1, outOfDate: 2, usage: 64, tryAgain: 75, notPermitted: 77, configuration: 78 };

export class CommandError extends Error {
  readonly exitCode: number;

  constructor(kind: keyof typeof exitCodes, message: string) {
    super(message);
    this.exitCode = exitCodes[kind];
  }
}
