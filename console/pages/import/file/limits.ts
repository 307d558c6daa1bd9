// Limits of imported files, and the reasons why a file cannot be read. A file that is too large is refused with its size
// and the limit.

export interface ReadLimits {
  /** Size of the file itself. */
  fileBytes: number;
  /** Total unpacked size of the parts of a workbook that are read. */
  unpackedBytes: number;
  /** Number of rows without the header. */
  rows: number;
  columns: number;
  /** Number of cells in all sheets together. */
  cells: number;
  /** Time after which the reading worker is terminated. */
  seconds: number;
}

const mebibyte = 1024 * 1024;

export const readLimits: ReadLimits = {
  fileBytes: 20 * mebibyte,
  unpackedBytes: 150 * mebibyte,
  rows: 50_000,
  columns: 500,
  cells: 2_000_000,
  seconds: 60,
};

// Plain data, since it is sent from the worker to the page. The page has a text for each reason.

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
