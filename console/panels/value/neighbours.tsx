import { ChevronDown, ChevronUp } from 'lucide-react';
import { navigate } from '../../app-context.ts';
import type { KeptList } from '../../data/api.ts';
import { Button } from '../../parts/button.tsx';
import { valueTexts as texts } from '../../texts/value.ts';

/** To the values before and after, in the list's own order. What is typed is asked about as with any other link. */
export function Neighbours({ list, value }: { list: KeptList; value: string }) {
  const index = list.items.findIndex((item) => item.value === value);
  const [before, after] = [list.items[index - 1], list.items[index + 1]];
  const open = (item: typeof before) => item && navigate({ page: 'value', list: list.list, value: item.value });
  return (
    <>
      <Button look="icon" aria-label={texts.previous} isDisabled={before === undefined} onPress={() => open(before)}>
        <ChevronUp aria-hidden="true" size={18} />
      </Button>
      <Button look="icon" aria-label={texts.next} isDisabled={after === undefined} onPress={() => open(after)}>
        <ChevronDown aria-hidden="true" size={18} />
      </Button>
    </>
  );
}
