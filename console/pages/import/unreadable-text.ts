import type { Unreadable } from './file/unreadable.ts';
import { importTexts as texts } from './texts.ts';

/** Why a file cannot be read, and what to do about it. */
export function unreadableText(why: Unreadable): string {
  switch (why.reason) {
    case 'file-too-large':
      return texts.fileTooLarge(why.bytes, why.limit);
    case 'unpacked-too-large':
      return texts.unpackedTooLarge(why.limit);
    case 'too-many-rows':
      return texts.tooManyRows(why.count, why.limit);
    case 'too-many-columns':
      return texts.tooManyColumns(why.count, why.limit);
    case 'too-many-cells':
      return texts.tooManyCells(why.count, why.limit);
    case 'too-slow':
      return texts.tooSlow(why.limit);
    case 'empty':
      return texts.empty;
    case 'damaged':
      return texts.damaged;
    case 'protected':
      return texts.protected;
    case 'old-excel':
      return texts.oldExcel;
    case 'unknown-type':
      return texts.unknownType;
    case 'unreadable':
      return texts.unreadable;
  }
}
