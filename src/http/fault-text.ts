// Messages for faults whose schema has no message. The library's own messages are written for programmers.
import type { z } from 'zod';

type Issue = z.core.$ZodRawIssue;

/** Pass this to every schema that checks part of a request: `schema.safeParse(value, plainTexts)`. */
export const plainTexts = { error: describeIssue };

function describeIssue(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${types[issue.expected] ?? 'of another type'}`;
    case 'too_big':
      return `must ${verbOf(issue)} at most ${issue.maximum}${unitOf(issue)}`;
    case 'too_small':
      return `must ${verbOf(issue)} at least ${issue.minimum}${unitOf(issue)}`;
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`;
    case 'invalid_format':
      return formats[issue.format] ?? 'has the wrong format';
    case 'invalid_union':
      return 'has a type that is not allowed here';
    default:
      return 'is not allowed here';
  }
}

const types: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const formats: Record<string, string> = {
  date: 'must be a date like 2027-01-31',
  datetime: 'must be a date and time like 2027-01-31T09:30:00Z',
  url: 'must be an address like https://example.com/',
};

const verbOf = ({ origin }: { origin: string }) => (origin === 'array' ? 'have' : 'be');

function unitOf({ origin }: { origin: string }): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' entries' : '';
}
