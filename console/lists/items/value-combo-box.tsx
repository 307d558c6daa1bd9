import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { ComboBox } from 'react-aria-components/ComboBox';
import { Group } from 'react-aria-components/Group';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { FieldNotes } from '../../parts/fields.tsx';
import type { KeptItem } from '../../shell/api.ts';
import { matcherOf } from './item-search.ts';
import { itemTexts } from './texts.ts';

type ValueChoice = Pick<KeptItem, 'value' | 'label' | 'labels' | 'codes'>;

interface ValueComboBoxProps {
  label: string;
  hint?: string;
  fault?: string | undefined;
  placeholder?: string;
  items: readonly ValueChoice[];
  /** The text of the option for no value. Without it, this option is missing and the field is emptied after each choice. */
  none?: string;
  value: string | null;
  onChange: (value: string | null) => void;
}

/** Maximum number of options shown. */
const maxShown = 100;
/** Differs from every value, since values have no lower-case letters. */
const noneId = 'none';

/** Finds a value by label, translation, code or the value itself. */
export function ValueComboBox({ label, hint, fault, placeholder, items, none, value, onChange }: ValueComboBoxProps) {
  const chosen = items.find((item) => item.value === value);
  const chosenText = chosen?.label ?? none ?? '';
  const [text, setText] = useState(chosenText);
  const [picked, setPicked] = useState(0);
  const isPicker = none === undefined;
  const found = firstMatches(items, text === chosenText ? '' : text);
  const options = [
    ...(none === undefined ? [] : [{ value: noneId, label: none }]),
    // The chosen value must be among the options, or the field would be emptied.
    ...(chosen === undefined || found.includes(chosen) ? [] : [chosen]),
    ...found,
  ].map(({ value: id, label: name }) => ({ id, name }));
  return (
    <ComboBox
      // A new key after each choice renders a new field, since a field that is emptied after a choice would stay open.
      key={isPicker ? picked : 0}
      autoFocus={isPicker && picked > 0}
      className="field"
      items={options}
      inputValue={text}
      onInputChange={setText}
      value={isPicker ? null : (value ?? noneId)}
      menuTrigger={isPicker ? 'input' : 'focus'}
      allowsEmptyCollection
      isInvalid={fault !== undefined}
      onChange={(id) => {
        if (id === null) return;
        onChange(id === noneId ? null : String(id));
        setPicked(picked + 1);
        setText(isPicker ? '' : (options.find((option) => option.id === id)?.name ?? ''));
      }}
    >
      <Label>{label}</Label>
      <Group className="combo-input">
        <Input
          dir="auto"
          {...(placeholder !== undefined && { placeholder })}
          onFocus={(event) => event.target.select()}
        />
        <AriaButton className="button icon">
          <ChevronDown aria-hidden="true" size={16} />
        </AriaButton>
      </Group>
      <FieldNotes hint={hint} fault={fault} />
      <Popover className="popover">
        <ListBox<(typeof options)[number]>
          className="options"
          renderEmptyState={() => <p className="quiet">{itemTexts.noValueFound}</p>}
        >
          {(option) => (
            <ListBoxItem id={option.id} textValue={option.name} className="option">
              <bdi>{option.name}</bdi>
              {option.id !== noneId && <span className="quiet">{option.id}</span>}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}

function firstMatches(items: readonly ValueChoice[], text: string): ValueChoice[] {
  const isMatch = matcherOf(text);
  const found: ValueChoice[] = [];
  for (const item of items) {
    if (isMatch(item)) found.push(item);
    if (found.length === maxShown) break;
  }
  return found;
}
