/** The port is in use, or the address is not one of this machine: the message says so. It is empty where a worker has printed why. */
export class CannotStart extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.name = 'CannotStart';
    this.exitCode = exitCode;
  }
}
