// The people who ask, each with one role. The admin keeps every list; the others have rights where a list names them.

export const people = { admin: 'LOOKUP_ADMIN', keeper: 'KEEPER', reader: 'READER', guest: 'GUEST' };
export type Person = keyof typeof people;

/** Their names in the history: they are programs. */
export const authorOf = (person: Person) => `caller:${person}`;
