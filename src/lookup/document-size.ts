/** Maximum size of a document over HTTP, about 50,000 labelled items. The text of `body-too-large` repeats it. */
export const largestDocumentBytes = 4 * 1024 * 1024;
