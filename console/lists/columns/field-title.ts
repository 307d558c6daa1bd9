// A field as a person reads it, and as the header of a column that is exported.
import { itemColumnTexts as texts } from './texts.ts';
import { languageName } from '../languages/language-names.ts';
import { languageOf } from './header-languages.ts';
import { type Field, plainFields } from './headers.ts';

/** The header is recognised again: a language whose name would be taken for another is written as its tag. */
export function fieldTitle(field: Field): string {
  const plain = plainFields.find((each) => each === field);
  if (plain !== undefined) return texts[plain];
  const key = field.slice(field.indexOf(':') + 1);
  if (field.startsWith('code:')) return texts.codeIn(key);
  if (field.startsWith('parent:')) return texts.onlyWith(key);
  const name = languageName(key);
  return texts.labelIn(languageOf(name) === key ? name : key);
}
