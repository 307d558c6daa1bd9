// The side panel of a value over its list: new, editable or read-only.
import { Suspense, useEffect } from 'react';
import { fieldName, fieldText } from '../../lists/items/field-texts.ts';
import { fieldsOf, namesOf } from '../../lists/items/item-fields.ts';
import { useMayKeep } from '../../lists/list-header.tsx';
import { useList, useLists } from '../../lists/queries.ts';
import { sharedListTexts, shownTitle } from '../../lists/texts.ts';
import { Button } from '../../parts/button.tsx';
import { EmptyState } from '../../parts/content.tsx';
import { shared } from '../../parts/texts.ts';
import type { KeptItem, KeptList } from '../../shell/api.ts';
import { part } from '../../shell/boundary.tsx';
import { navigate } from '../../shell/console-context.ts';
import { EditValue } from './edit-value.tsx';
import { FixedValue } from './sections/details-section.tsx';
import { HistorySection, Section } from './sections/section.tsx';
import { Neighbours, SidePanel, StatusLine } from './side-panel.tsx';
import { valueTexts as texts } from './texts.ts';

// Loaded when needed, because it includes the transliteration tables.
const NewValue = part(async () => (await import('./new-value.tsx')).NewValue);

export function ValuePanel({ list: name, value }: { list: string; value?: string }) {
  const list = useList(name).data;
  const summaries = useLists();
  const item = list?.items.find((each) => each.value === value);
  useWindowTitle(list && [value === undefined ? texts.newValue : (item?.label ?? value), shownTitle(list)]);
  const { mayKeep, couldKeep } = useMayKeep(name);
  // The page behind the panel shows loading and errors.
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
      <EmptyState title={value === undefined ? sharedListTexts.readOnly : texts.notFound}>
        <Button onPress={close}>{texts.backToList}</Button>
      </EmptyState>
    </SidePanel>
  );
}

/** Sets the window's title while the panel is open. */
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

/** The panel for users who may not change this list. */
function ReadValue({ list, item, onClose }: { list: KeptList; item: KeptItem; onClose: () => void }) {
  const fields = fieldsOf(item);
  const names = namesOf(fields).filter((name) => name !== 'status' && name !== 'replacedBy');
  return (
    <SidePanel title={<bdi>{item.label}</bdi>} tools={<Neighbours list={list} value={item.value} />} onClose={onClose}>
      <StatusLine list={list} item={item} />
      <p className="note info">{sharedListTexts.readOnly}</p>
      <Section title={shared.details}>
        <FixedValue value={item.value} />
        <dl className="own-facts">
          {names.map((name) => (
            <div key={name}>
              <dt>{fieldName(name)}</dt>
              <dd>
                <bdi>{fieldText(name, fields[name] ?? null)}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      </Section>
      <HistorySection list={list} value={item.value} />
    </SidePanel>
  );
}
