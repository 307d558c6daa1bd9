// Sizes that the service and the console both check.

/** Maximum size of a document over HTTP, about 50,000 labelled items. The text of `body-too-large` repeats it. */
export const largestDocumentBytes = 4 * 1024 * 1024;

/** Maximum numbers for one item, after what was sent has been merged with what it has. */
export const mostOfItem = { codes: 20, parents: 10 } as const;
