// Describes a browser in a few words, for a person's list of sessions. The full User-Agent is not stored, because it could
// identify people.

// The first match counts, because most browsers also call themselves Chrome or Safari.
const browsers: [name: string, pattern: RegExp][] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\/(\d{1,4})/],
  ['Opera', /\bOPR\/(\d{1,4})/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d{1,4})/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d{1,4})/],
  ['Chrome', /\b(?:Chrome|Chromium|CriOS)\/(\d{1,4})/],
  ['Safari', /\bVersion\/(\d{1,4})[\d.]* (?:Mobile\/\S+ )?Safari\//],
  ['curl', /^curl\/(\d{1,4})/],
];

const systems: [name: string, pattern: RegExp][] = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

/** For example "Firefox 144 on Windows"; undefined if the User-Agent names neither a browser nor a system. */
export function nameBrowser(userAgent: string | null): string | undefined {
  const text = userAgent?.slice(0, 512) ?? '';
  const browser = browsers.flatMap(([name, pattern]) => {
    const version = pattern.exec(text)?.[1];
    return version === undefined ? [] : [`${name} ${version}`];
  })[0];
  const system = systems.find(([, pattern]) => pattern.test(text))?.[0];
  if (browser === undefined) return system;
  return system === undefined ? browser : `${browser} on ${system}`;
}
