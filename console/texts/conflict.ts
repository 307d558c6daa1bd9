import { catalogue } from './catalogue.ts';

export const conflictTexts = catalogue(
  { title: 'This list changed while you were editing', saveMine: 'Save my change' },
  { title: 'Diese Liste wurde geändert, während Sie sie bearbeitet haben', saveMine: 'Meine Änderung speichern' },
);
