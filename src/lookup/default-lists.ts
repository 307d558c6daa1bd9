import document from '../../lookups/default.yaml';
import { LookupDocument } from './lookup.schema.ts';

/** The lists of a new installation. */
export const defaultLists: LookupDocument = LookupDocument.parse(document);
