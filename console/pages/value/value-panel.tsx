// The side panel of a value over its list: a new one, one that is there, or one that can only be read.
import { lazy, Suspense, useEffect } from 'react';
import { navigate } from '../../shell/console-context.ts';
import { useList, useLists } from '../../lists/queries.ts';
import { Button } from '../../parts/button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { useMayKeep } from '../../lists/list-state.tsx';
import { SidePanel } from '../../parts/side-panel.tsx';
import { shared } from '../../parts/texts.ts';
import { valueTexts as texts } from './texts.ts';
import { EditValue } from './edit-value.tsx';
import { ReadValue } from './read-value.tsx';

// It brings the table of every script along.
const NewValue = lazy(async () => ({ default: (await import('./new-value.tsx')).NewValue }));

export function ValuePanel({ list: name, value }: { list: string; value?: string }) {
  const list = useList(name).data;
  const summaries = useLists();
  const item = list?.items.find((each) => each.value === value);
  useWindowTitle(list && [value === undefined ? texts.newValue : (item?.label ?? value), list.title]);
  const { mayKeep, couldKeep } = useMayKeep(name);
  // The page behind it says that the list is loading, or why it cannot be loaded.
  if (list === undefined || summaries.isPending) return null;
  const close = () => navigate({ page: 'list', list: name });
  if (item !== undefined) {
    if (!couldKeep) return <ReadValue list={list} item={item} onClose={close} />;
    return <EditValue list={list} item={item} mayKeep={mayKeep} onClose={close} />;
  }
  if (value === undefined && couldKeep) {
    return (
      <Suspense>
        <NewValue list={list} mayKeep={mayKeep} onClose={close} />
      </Suspense>
    );
  }
  return (
    <SidePanel title={value ?? texts.newValue} onClose={close}>
      <EmptyState title={value === undefined ? texts.readOnly : texts.notFound}>
        <Button onPress={close}>{texts.backToList}</Button>
      </EmptyState>
    </SidePanel>
  );
}

/** While the panel is open. */
function useWindowTitle(names: readonly string[] | undefined): void {
  const title = names && [...names, shared.product].join(' – ');
  useEffect(() => {
    if (title === undefined) return;
    const before = document.title;
    document.title = title;
    return () => {
      document.title = before;
    };
  }, [title]);
}
