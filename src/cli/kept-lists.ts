// The lists as the commands know them, whether on the database or at a service.
import type { FileFormat, ReadDocument } from '../lookup/documents/read-document.ts';
import type { KeptList } from '../lookup/lookup-admin.schema.ts';
import type { ShownEntry, ShownPlan } from './describe-changes.ts';

/** A document that was found to be one. */
export interface DocumentFile extends ReadDocument {
  bytes: Uint8Array<ArrayBuffer>;
  format: FileFormat;
  /** Said beside the file. */
  mirror: boolean | undefined;
}

/** A change fails with the problem `version-conflict`, which names the list and its version; a document also with WrongFile. */
export interface KeptLists {
  /** All, or those of these names that there are. By name. */
  read(names: readonly string[] | undefined): Promise<KeptList[]>;
  plan(file: DocumentFile): Promise<ShownPlan>;
  /** `onPlanned` is told what is about to be applied, as soon as that is known. */
  apply(file: DocumentFile, reason: string | undefined, onPlanned: (plan: ShownPlan) => void): Promise<ShownPlan>;
  findVersion(list: string): Promise<number | undefined>;
  /** Newest first. */
  history(list: string, limit: number): AsyncIterable<ShownEntry>;
  /** From the version that was seen; returns the version afterwards. */
  undo(list: string, seen: number, to: number, reason: string | undefined): Promise<number>;
}
