// Writes the request that fills a dropdown as code that the user can copy. Pure.

interface PreviewRequest {
  /** The service's address. */
  baseUrl: string;
  list: string;
  /** Undefined for the browser's language. */
  language: string | undefined;
}

/** The arguments need no escaping: names and tags contain only letters, digits and hyphens. */
export function curlOf({ baseUrl, list, language }: PreviewRequest): string {
  const lines = [`curl '${baseUrl.replace(/\/$/, '')}/employee/${list}'`, `  -H "Authorization: Bearer $TOKEN"`];
  if (language !== undefined) lines.push(`  -H 'Accept-Language: ${language}'`);
  return lines.join(' \\\n');
}

export function clientCodeOf({ list, language }: Omit<PreviewRequest, 'baseUrl'>): string {
  const options = language === undefined ? '' : `, { language: '${language}' }`;
  return `const items = await frontdesk.lookup('${list}'${options});`;
}
