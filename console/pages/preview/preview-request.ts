// The request behind a dropdown, as people copy it. Pure.

interface PreviewRequest {
  /** The address of the service. */
  baseUrl: string;
  list: string;
  /** Undefined: the browser's own. */
  language: string | undefined;
}

/** For a shell: nothing in it can end a quote, since lists and tags have letters, digits and hyphens alone. */
export function curlOf({ baseUrl, list, language }: PreviewRequest): string {
  const lines = [`curl '${baseUrl.replace(/\/$/, '')}/employee/${list}'`, `  -H "Authorization: Bearer $TOKEN"`];
  if (language !== undefined) lines.push(`  -H 'Accept-Language: ${language}'`);
  return lines.join(' \\\n');
}

export function clientCodeOf({ list, language }: Omit<PreviewRequest, 'baseUrl'>): string {
  const options = language === undefined ? '' : `, { language: '${language}' }`;
  return `const items = await frontdesk.lookup('${list}'${options});`;
}

/** For a list whose title is not known: `pay-grade` is Pay grade. */
export function titleFromName(list: string): string {
  const words = list.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
