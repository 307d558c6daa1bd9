/** How a program is named in its tokens' `sub`, in audit rows and in the history. No employee ID begins so. */
const prefix = 'caller:';

export const callerSubject = (name: string) => `${prefix}${name}`;
export const isCallerSubject = (subject: string) => subject.startsWith(prefix);
