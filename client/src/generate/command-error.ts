// Why the command ends, and with which exit code: those of sysexits.h, as the service's own command line has them.

export const exitCodes = { failure: 1, outOfDate: 2, usage: 64, tryAgain: 75, notPermitted: 77, configuration: 78 };

export class CommandError extends Error {
  readonly exitCode: number;

  constructor(kind: keyof typeof exitCodes, message: string) {
    super(message);
    this.exitCode = exitCodes[kind];
  }
}
