import { Plus, X } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import { itemColumnTexts } from '../../../lists/columns/texts.ts';
import { namesOf, splitField } from '../../../lists/items/item-fields.ts';
import { itemTexts } from '../../../lists/items/texts.ts';
import { Button } from '../../../parts/button.tsx';
import { Tags } from '../../../parts/chips.tsx';
import { TextField } from '../../../parts/fields.tsx';
import { shared } from '../../../parts/texts.ts';
import { type AddedCode, shownTags, tagsIn, withAddedCode, withCode, withoutCode, withTags } from '../item-form.ts';
import { valueTexts as texts } from '../texts.ts';
import type { ValueForm } from '../use-value-form.ts';
import { Section, textIn } from './section.tsx';

export function CodesSection({ valueForm }: { valueForm: ValueForm }) {
  const nextId = useRef(1);
  const names = namesOf(valueForm.shown).filter((name) => name.startsWith('codes.') && valueForm.shown[name] !== null);
  return (
    <Section title={texts.codesAndTags}>
      <p className="hint">{texts.codesHint}</p>
      {names.sort().map((name) => {
        const label = itemTexts.codeIn(splitField(name)[1]);
        return (
          <div className="field-row" key={name}>
            <TextField
              label={label}
              value={textIn(valueForm.shown, name)}
              fault={valueForm.faults[name]}
              onChange={(to) => valueForm.set(name, to)}
            />
            <Button look="icon" aria-label={shared.remove(label)} onPress={() => valueForm.set(name, null)}>
              <X aria-hidden="true" size={16} />
            </Button>
          </div>
        );
      })}
      {valueForm.form.addedCodes.map((code) => (
        <NewCode key={code.id} valueForm={valueForm} code={code} />
      ))}
      {valueForm.faults.codes !== undefined && <p className="fault">{valueForm.faults.codes}</p>}
      <div>
        <Button
          look="plain"
          icon={<Plus aria-hidden="true" size={16} />}
          onPress={() => valueForm.change((form) => withAddedCode(form, nextId.current++))}
        >
          {texts.addCode}
        </Button>
      </div>
      <TagField
        label={itemColumnTexts.tags}
        hint={texts.tagsHint}
        fault={valueForm.faults.tags}
        tags={shownTags(valueForm.item, valueForm.form)}
        text={valueForm.form.tagText}
        onChange={(tags, text) => valueForm.change((form) => withTags(valueForm.item, form, tags, text), 'tags')}
      />
    </Section>
  );
}

/** A row for a new code, in which the user types the system too. */
function NewCode({ valueForm, code }: { valueForm: ValueForm; code: AddedCode }) {
  const change = (changed: AddedCode) => valueForm.change((form) => withCode(form, changed), `addedCodes.${code.id}`);
  return (
    <div className="field-row">
      <TextField
        label={texts.system}
        placeholder={texts.systemHint}
        dir="ltr"
        autoFocus
        value={code.system}
        fault={valueForm.faults[`addedCodes.${code.id}`]}
        onChange={(system) => change({ ...code, system })}
      />
      <TextField label={texts.code} value={code.code} onChange={(text) => change({ ...code, code: text })} />
      <Button
        look="icon"
        aria-label={shared.remove(code.system.trim() === '' ? texts.newCode : itemTexts.codeIn(code.system.trim()))}
        onPress={() => valueForm.change((form) => withoutCode(form, code.id))}
      >
        <X aria-hidden="true" size={16} />
      </Button>
    </div>
  );
}

interface TagFieldProps {
  label: string;
  hint?: string;
  fault?: string | undefined;
  tags: readonly string[];
  /** The tag being typed. */
  text: string;
  onChange: (tags: readonly string[], text: string) => void;
}

/** Tags, each added with Enter, space or comma. */
function TagField({ label, hint, fault, tags, text, onChange }: TagFieldProps) {
  const add = () => onChange([...new Set([...tags, ...tagsIn(text)])], '');
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key === 'Backspace' && text === '' && tags.length > 0) onChange(tags.slice(0, -1), '');
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || text.trim() === '') return;
    // Enter adds the tag instead of submitting the form.
    event.preventDefault();
    add();
  };
  return (
    <div className="tag-field">
      <div onKeyDownCapture={onKeyDown}>
        <TextField
          label={label}
          hint={hint}
          fault={fault}
          value={text}
          onChange={(to) => {
            if (!/[\s,;]$/.test(to)) onChange(tags, to);
            else onChange([...new Set([...tags, ...tagsIn(to)])], '');
          }}
          onBlur={() => text.trim() !== '' && add()}
        />
      </div>
      {tags.length > 0 && <Tags label={label} tags={tags} onChange={(left) => onChange(left, text)} />}
    </div>
  );
}
