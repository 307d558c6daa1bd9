// Translates the service's sentences into German; in English it only capitalises them.
import { textLanguage } from '../../parts/catalogue.ts';
import { germanClientProblems, germanFaults, germanProblems } from './service.de.ts';

const german = { ...germanProblems, ...germanClientProblems, ...germanFaults };

interface Pattern {
  matches: RegExp;
  translation: string;
}

const parameter = /\{\w+\}/g;
const escaped = (text: string) => text.replaceAll(/[.*+?^$()[\]\\|{}]/g, '\\$&');

/** A parameter matches as few characters as possible: it ends where the text after it begins. */
function patternOf([english, translation]: [string, string]): Pattern {
  const names = Array.from(english.matchAll(parameter), ([name]) => name.slice(1, -1));
  const parts = english.split(parameter).map(escaped);
  const body = parts.reduce((text, part, index) => `${text}(?<${names[index - 1]}>.+?)${part}`);
  return { matches: new RegExp(`^${body}$`, 's'), translation };
}

const patterns = Object.entries(german)
  .filter(([english]) => english.includes('{'))
  .map(patternOf);

/** Returns undefined if there is no translation, since the service may be newer than this page. */
export function germanSentence(english: string): string | undefined {
  if (Object.hasOwn(german, english)) return german[english];
  for (const { matches, translation } of patterns) {
    const groups = matches.exec(english)?.groups;
    if (groups !== undefined) return translation.replaceAll(parameter, (name) => groups[name.slice(1, -1)] ?? '');
  }
  return undefined;
}

export function translateSentence(english: string): string {
  if (textLanguage === 'de') return germanSentence(english) ?? english;
  return english.charAt(0).toUpperCase() + english.slice(1);
}
