import { Plus, X } from 'lucide-react';
import { useRef } from 'react';
import { namesOf, splitField } from '../../lists/items/item-fields.ts';
import { type AddedCode, shownTags, withAddedCode, withCode, withoutCode, withTags } from './item-form.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/fields.tsx';
import { TagField } from './tag-field.tsx';
import { shared } from '../../parts/texts.ts';
import { valueTexts as texts } from './texts.ts';
import { Section } from './section.tsx';
import { textIn } from './shown.ts';
import type { ValueForm } from './use-value-form.ts';

export function CodesSection({ of }: { of: ValueForm }) {
  const nextId = useRef(1);
  const names = namesOf(of.shown).filter((name) => name.startsWith('codes.') && of.shown[name] !== null);
  return (
    <Section title={texts.codesAndTags}>
      <p className="hint">{texts.codesHint}</p>
      {names.sort().map((name) => {
        const label = texts.codeIn(splitField(name)[1]);
        return (
          <div className="field-row" key={name}>
            <TextField
              label={label}
              value={textIn(of.shown, name)}
              fault={of.faults[name]}
              onChange={(to) => of.set(name, to)}
            />
            <Button look="icon" aria-label={shared.remove(label)} onPress={() => of.set(name, null)}>
              <X aria-hidden="true" size={16} />
            </Button>
          </div>
        );
      })}
      {of.form.addedCodes.map((code) => (
        <NewCode key={code.id} of={of} code={code} />
      ))}
      {of.faults.codes !== undefined && <p className="fault">{of.faults.codes}</p>}
      <div>
        <Button
          look="plain"
          icon={<Plus aria-hidden="true" size={16} />}
          onPress={() => of.change((form) => withAddedCode(form, nextId.current++))}
        >
          {texts.addCode}
        </Button>
      </div>
      <TagField
        label={texts.tags}
        hint={texts.tagsHint}
        fault={of.faults.tags}
        tags={shownTags(of.item, of.form)}
        text={of.form.tagText}
        onChange={(tags, text) => of.change((form) => withTags(of.item, form, tags, text), 'tags')}
      />
    </Section>
  );
}

/** A row of which the system is typed too. */
function NewCode({ of, code }: { of: ValueForm; code: AddedCode }) {
  const change = (changed: AddedCode) => of.change((form) => withCode(form, changed), `addedCodes.${code.id}`);
  return (
    <div className="field-row">
      <TextField
        label={texts.system}
        placeholder={texts.systemHint}
        dir="ltr"
        autoFocus
        value={code.system}
        fault={of.faults[`addedCodes.${code.id}`]}
        onChange={(system) => change({ ...code, system })}
      />
      <TextField label={texts.code} value={code.code} onChange={(text) => change({ ...code, code: text })} />
      <Button
        look="icon"
        aria-label={shared.remove(code.system.trim() === '' ? texts.newCode : texts.codeIn(code.system.trim()))}
        onPress={() => of.change((form) => withoutCode(form, code.id))}
      >
        <X aria-hidden="true" size={16} />
      </Button>
    </div>
  );
}
