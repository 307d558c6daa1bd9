// Who asks, each with one role. The admin keeps every list; the others have rights where a list names them.

export const people = { admin: 'LOOKUP_ADMIN', keeper: 'KEEPER', reader: 'READER', guest: 'GUEST' };
export type Person = keyof typeof people;

/** How the history names them: they are programs. */
export const authorOf = (person: Person) => `caller:${person}`;
