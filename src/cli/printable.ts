/** Text from outside, without the control characters that a terminal would act on. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '?');
}
