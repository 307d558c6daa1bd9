import type { KeptItem, KeptList } from '../../shell/api.ts';
import { fieldName, fieldText } from '../../lists/items/field-texts.ts';
import { fieldsOf, namesOf } from '../../lists/items/item-fields.ts';
import { SidePanel } from '../../parts/side-panel.tsx';
import { valueTexts as texts } from './texts.ts';
import { FixedValue } from './details-section.tsx';
import { HistorySection } from './history-section.tsx';
import { Neighbours } from './neighbours.tsx';
import { Section } from './section.tsx';
import { StatusLine } from './status-line.tsx';

/** For those who may not change this list. */
export function ReadValue({ list, item, onClose }: { list: KeptList; item: KeptItem; onClose: () => void }) {
  const fields = fieldsOf(item);
  const names = namesOf(fields).filter((name) => name !== 'status' && name !== 'replacedBy');
  return (
    <SidePanel title={<bdi>{item.label}</bdi>} tools={<Neighbours list={list} value={item.value} />} onClose={onClose}>
      <StatusLine list={list} item={item} />
      <p className="note info">{texts.readOnly}</p>
      <Section title={texts.details}>
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
