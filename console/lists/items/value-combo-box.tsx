import { ChevronDown } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { ComboBox } from 'react-aria-components/ComboBox';
import { Group } from 'react-aria-components/Group';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { FieldNotes } from '../../parts/fields.tsx';
import type { KeptItem } from '../../shell/api.ts';
import { findExact, matcherOf } from './item-search.ts';
import { itemTexts } from './texts.ts';

type ValueChoice = Pick<KeptItem, 'value' | 'label' | 'labels' | 'codes'>;

interface ValueComboBoxProps {
  label: string;
  hint?: string;
  fault?: string | undefined;
  placeholder?: string;
  items: readonly ValueChoice[];
  /**
   * The text of the option that stands for no value. If undefined, there is no such option, and the field is emptied
   * after each choice.
   */
  none?: string;
  value: string | null;
  onChange: (value: string | null) => void;
  /** Called with every text that the field shows. */
  onType?: (text: string) => void;
}

/** Maximum number of options shown. */
const maxShown = 100;
/** Differs from every value, since values have no lower-case letters. */
const noneId = 'none';

/**
 * Finds a value by label, translation, code or the value itself. A label or value typed in full is chosen when the user
 * leaves the field or presses Enter. Any other text stays in the field, and the form cannot be submitted.
 */
export function ValueComboBox(props: ValueComboBoxProps) {
  const { label, hint, placeholder, items, none, value, onChange, onType } = props;
  const chosen = items.find((item) => item.value === value);
  const chosenText = chosen?.label ?? '';
  const [text, setText] = useState(chosenText);
  /** Whether the user has finished typing. A fault in the text is shown only then. */
  const [isFinished, setFinished] = useState(false);
  /** Whether Enter was pressed. If so, the options stay closed until the user types or returns to the field. */
  const [isEntered, setEntered] = useState(false);
  const [picked, setPicked] = useState(0);
  const isPicker = none === undefined;
  const isUnresolved = text.trim() !== '' && text !== chosenText;
  const found = firstMatches(items, isUnresolved ? text : '');
  // While the user types, the options are only the matches, so that the arrow key goes to the first match.
  const always = isUnresolved
    ? []
    : [
        ...(none === undefined ? [] : [{ value: noneId, label: none }]),
        // The chosen value must be among the options, or the field would be emptied.
        ...(chosen === undefined || found.includes(chosen) ? [] : [chosen]),
      ];
  const options = [...always, ...found].map(({ value: id, label: name }) => ({ id, name }));

  const fault = props.fault ?? (isFinished && isUnresolved ? textFault(items, text) : undefined);
  const input = useRef<HTMLInputElement>(null);
  // With a custom validity, the browser does not submit the form. react-aria's own validation is not used, because it
  // would show the fault while the user corrects the text.
  const validity = fault ?? (isUnresolved ? itemTexts.noSuchValue : '');
  useLayoutEffect(() => input.current?.setCustomValidity(validity), [validity]);
  const show = (shown: string) => {
    setText(shown);
    setFinished(false);
    setEntered(false);
    onType?.(shown);
  };

  /** Chooses the value that was typed in full. If there is none, shows the fault. */
  function finish(showsFault = true): void {
    const exact = isUnresolved ? findExact(items, text) : undefined;
    if (exact !== undefined && exact !== 'several') {
      onChange(exact.value);
      show(isPicker ? '' : exact.label);
    }
    setFinished(showsFault);
  }

  return (
    <ComboBox
      // The key changes with each choice, which renders a new field. An emptied field would keep its options open.
      key={isPicker ? picked : 0}
      autoFocus={isPicker && picked > 0}
      className="field"
      items={options}
      inputValue={text}
      onInputChange={(typed) => {
        show(typed);
        if (!isPicker && typed.trim() === '' && value !== null) onChange(null);
      }}
      // Null while the user types a different text. Otherwise, the options would open with the chosen one highlighted,
      // and Enter or Tab would choose that option instead of the typed text.
      value={isPicker || isUnresolved ? null : (value ?? noneId)}
      // After Enter, the field shows the label of the value that was typed, and `manual` keeps the options closed.
      menuTrigger={isEntered ? 'manual' : isPicker ? 'input' : 'focus'}
      allowsEmptyCollection
      // Keeps the text when the user leaves the field.
      allowsCustomValue
      isInvalid={fault !== undefined}
      validationBehavior="aria"
      onBlur={({ relatedTarget }) => {
        // If the user leaves the field by pressing a button, the fault is not shown yet: in a dialog, it would move the
        // button away from the pointer in mid-click. The form shows the fault when it is submitted. Safari gives the
        // focus to the dialog, not to the pressed button.
        finish(isPicker || !relatedTarget?.matches('button, [role=dialog]'));
        setEntered(false);
      }}
      onKeyDown={(event) => {
        // If an option is highlighted, Enter chooses it.
        const isHighlighted = event.currentTarget.getAttribute('aria-activedescendant') !== null;
        if (event.key !== 'Enter' || isHighlighted) return;
        finish();
        setEntered(true);
      }}
      onChange={(id) => {
        if (id === null) return;
        onChange(id === noneId ? null : String(id));
        setPicked(picked + 1);
        show(isPicker || id === noneId ? '' : (options.find((option) => option.id === id)?.name ?? ''));
      }}
    >
      <Label>{label}</Label>
      <Group className="combo-input">
        <Input
          ref={input}
          dir="auto"
          placeholder={placeholder ?? none ?? ''}
          onInvalid={(event) => {
            event.preventDefault();
            setFinished(true);
            event.currentTarget.focus();
          }}
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
            // The text of the chosen option becomes the text of the field, which must be empty if no value is chosen.
            <ListBoxItem id={option.id} textValue={option.id === noneId ? '' : option.name} className="option">
              <bdi>{option.name}</bdi>
              {option.id !== noneId && <span className="quiet">{option.id}</span>}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}

function textFault(items: readonly ValueChoice[], text: string): string | undefined {
  const exact = findExact(items, text);
  if (exact === 'several') return itemTexts.severalFound;
  return exact === undefined ? itemTexts.noSuchValue : undefined;
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
