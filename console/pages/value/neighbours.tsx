import { ChevronDown, ChevronUp } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import type { KeptList } from '../../shell/api.ts';
import { navigate } from '../../shell/console-context.ts';
import { valueTexts as texts } from './texts.ts';

/** The button that led to this value keeps the focus, so that it can be pressed again. */
let pressed: 'previous' | 'next' | undefined;

/** Links to the previous and next value in list order. Unsaved input is asked about as with any link. */
export function Neighbours({ list, value }: { list: KeptList; value: string }) {
  const index = list.items.findIndex((item) => item.value === value);
  const [before, after] = [list.items[index - 1], list.items[index + 1]];
  const [led] = useState(pressed);
  useEffect(() => {
    pressed = undefined;
  }, []);
  const open = (item: typeof before, button: typeof pressed) => {
    if (item === undefined) return;
    pressed = button;
    navigate({ page: 'value', list: list.list, value: item.value });
  };
  return (
    <>
      <Button
        look="icon"
        aria-label={texts.previous}
        autoFocus={led === 'previous'}
        isDisabled={before === undefined}
        onPress={() => open(before, 'previous')}
      >
        <ChevronUp aria-hidden="true" size={18} />
      </Button>
      <Button
        look="icon"
        aria-label={texts.next}
        autoFocus={led === 'next'}
        isDisabled={after === undefined}
        onPress={() => open(after, 'next')}
      >
        <ChevronDown aria-hidden="true" size={18} />
      </Button>
    </>
  );
}
