import { useState } from 'react';
import { ComboBox } from 'react-aria-components/ComboBox';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { sharedListTexts } from '../texts.ts';
import { findLanguages } from './language-names.ts';

interface LanguagePickerProps {
  label?: string;
  placeholder?: string;
  /** Languages to leave out. */
  used?: readonly string[];
  onPick: (tag: string) => void;
}

const maxShown = 50;

/** Finds a language by its tag, or by its name in the console's language or in the language itself. */
export function LanguagePicker({
  label = sharedListTexts.language,
  placeholder,
  used = [],
  onPick,
}: LanguagePickerProps) {
  const [text, setText] = useState('');
  // Renders a new field after each choice, since an emptied field would open its options again.
  const [choices, setChoices] = useState(0);
  const languages = findLanguages(text, used).slice(0, maxShown);
  return (
    <ComboBox
      key={choices}
      className="field"
      items={languages}
      inputValue={text}
      onInputChange={setText}
      value={null}
      menuTrigger="focus"
      allowsEmptyCollection
      // Escape closes the options. It also clears the text, because otherwise they would open again.
      onKeyDown={(event) => event.key === 'Escape' && setText('')}
      onChange={(tag) => {
        if (tag === null) return;
        setText('');
        setChoices(choices + 1);
        onPick(String(tag));
      }}
    >
      <Label>{label}</Label>
      <Input {...(placeholder !== undefined && { placeholder })} />
      <Popover className="popover">
        <ListBox<(typeof languages)[number]>
          className="options"
          renderEmptyState={() => <p className="quiet">{sharedListTexts.noLanguage}</p>}
        >
          {({ tag, name, ownName }) => (
            <ListBoxItem id={tag} textValue={name} className="option">
              <bdi>{name}</bdi>
              {ownName !== name && <bdi className="quiet">{ownName}</bdi>}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
