// The people in the model, each with one role. The admin may change every list; others have rights to lists that name them.

export const people = { admin: 'LOOKUP_ADMIN', keeper: 'KEEPER', reader: 'READER', guest: 'GUEST' };
export type Person = keyof typeof people;

/** Returns the author's name in the history. It begins with `caller:`, because these people are programs. */
export const authorOf = (person: Person) => `caller:${person}`;
