// Draws a picture for people without one: their initials on a colour that depends on the initials.

/** Returns one to four letters or digits (ß becomes SS). None of them needs escaping in a path or in SVG. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s\-.@_]+/).map((word) => word.match(/[\p{L}\p{N}]/u)?.[0]);
  const initials = words.filter((initial) => initial !== undefined);
  const first = initials[0] ?? 'X';
  const last = initials.length > 1 ? initials.at(-1) : '';
  return `${first}${last}`.toLocaleUpperCase('en');
}

export const initialsPattern = /^[\p{L}\p{N}]{1,4}$/u;

export function drawAvatar(initials: string): string {
  const hue = [...initials].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360, 7);
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96" role="img">',
    `<title>${initials}</title>`,
    `<rect width="96" height="96" fill="hsl(${hue} 45% 34%)"/>`,
    '<text x="48" y="50" fill="#fff" font-family="system-ui, sans-serif" font-size="38" font-weight="600"',
    ` text-anchor="middle" dominant-baseline="central">${initials}</text>`,
    '</svg>',
  ].join('');
}
