import { useCallback, useState } from 'react';

/** A text that screen readers read aloud. The same text again is read again: a blank at its end makes it another. */
export function useAnnouncer() {
  const [text, setText] = useState('');
  const announce = useCallback((next: string) => setText((before) => (before === next ? `${next}\u00a0` : next)), []);
  return { text, announce };
}
