import { X } from 'lucide-react';
import { type FieldName, namesOf, splitField } from '../../../lists/items/item-fields.ts';
import { languageName } from '../../../lists/languages/language-names.ts';
import { LanguagePicker } from '../../../lists/languages/language-picker.tsx';
import { sharedListTexts } from '../../../lists/texts.ts';
import { Button } from '../../../parts/button.tsx';
import { TextField } from '../../../parts/fields.tsx';
import { shared } from '../../../parts/texts.ts';
import { valueTexts as texts } from '../texts.ts';
import type { ValueForm } from '../use-value-form.ts';
import { Section, textIn } from './section.tsx';

const collator = new Intl.Collator();

export function TranslationsSection({ valueForm }: { valueForm: ValueForm }) {
  const fields = namesOf(valueForm.shown).filter(
    (name) => name.startsWith('labels.') && valueForm.shown[name] !== null,
  );
  const rows = fields
    .map((name) => ({ name, tag: splitField(name)[1], language: languageName(splitField(name)[1]) }))
    .sort((one, other) => collator.compare(one.language, other.language));
  const add = (tag: string) => valueForm.set(`labels.${tag}`, '');
  return (
    <Section title={sharedListTexts.translations}>
      {rows.length === 0 && <p className="quiet">{texts.noTranslations}</p>}
      {rows.map(({ name, tag, language }) => (
        <Translation key={tag} valueForm={valueForm} name={name} language={language} tag={tag} />
      ))}
      <LanguagePicker
        label={texts.addTranslation}
        placeholder={texts.addTranslationHint}
        used={rows.map(({ tag }) => tag)}
        onPick={add}
      />
    </Section>
  );
}

interface TranslationProps {
  valueForm: ValueForm;
  name: FieldName;
  language: string;
  tag: string;
}

function Translation({ valueForm, name, language, tag }: TranslationProps) {
  const text = textIn(valueForm.shown, name);
  const isNew = valueForm.form.edits[name]?.from === null;
  return (
    <div className="field-row">
      <TextField
        label={language}
        value={text}
        lang={tag}
        autoFocus={isNew && text === ''}
        fault={valueForm.faults[name]}
        onChange={(to) => valueForm.set(name, to)}
      />
      <Button look="icon" aria-label={shared.remove(language)} onPress={() => valueForm.set(name, null)}>
        <X aria-hidden="true" size={16} />
      </Button>
    </div>
  );
}
