/** Of a document of lists over HTTP; a list of 50,000 items with a label each. The text of `body-too-large` says the same. */
export const largestDocumentBytes = 4 * 1024 * 1024;
