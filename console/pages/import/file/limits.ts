// How large a file may be that is imported. Each is refused with its size and the limit.

export interface ReadLimits {
  /** Of the file as it is. */
  fileBytes: number;
  /** Of everything in a workbook that is read, unpacked. */
  unpackedBytes: number;
  /** Below the header. */
  rows: number;
  columns: number;
  /** Of all sheets. */
  cells: number;
  /** The worker that reads is ended then. */
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
