// Why a file cannot be read. The page says it in words; between threads it is passed as data.

export type Unreadable =
  | { reason: 'file-too-large' | 'unpacked-too-large'; bytes: number; limit: number }
  | { reason: 'too-many-rows' | 'too-many-columns' | 'too-many-cells'; count: number; limit: number }
  | { reason: 'too-slow'; limit: number }
  | { reason: 'empty' | 'damaged' | 'protected' | 'old-excel' | 'unknown-type' | 'unreadable' };

export class UnreadableFile extends Error {
  readonly why: Unreadable;

  constructor(why: Unreadable, cause?: unknown) {
    super(why.reason, { cause });
    this.why = why;
  }
}
