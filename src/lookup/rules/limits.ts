// Sizes that the service and the console both check.

/** Maximum size of a document over HTTP, about 50,000 labelled items. The text of `body-too-large` repeats it. */
export const largestDocumentBytes = 4 * 1024 * 1024;

/** Maximum number of codes and of parent lists that one item can have. */
export const mostOfItem = { codes: 20, parents: 10 } as const;
