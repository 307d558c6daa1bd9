import { X } from 'lucide-react';
import { type FieldName, namesOf, splitField } from '../../lists/items/item-fields.ts';
import { findLanguage, languageName } from '../../lists/languages/language-names.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/fields.tsx';
import { LanguagePicker } from '../../lists/languages/language-picker.tsx';
import { shared } from '../../parts/texts.ts';
import { valueTexts as texts } from './texts.ts';
import { Section } from './section.tsx';
import { textIn } from './shown.ts';
import type { ValueForm } from './use-value-form.ts';

const collator = new Intl.Collator();

export function TranslationsSection({ of }: { of: ValueForm }) {
  const fields = namesOf(of.shown).filter((name) => name.startsWith('labels.') && of.shown[name] !== null);
  const rows = fields
    .map((name) => ({ name, tag: splitField(name)[1], language: languageName(splitField(name)[1]) }))
    .sort((one, other) => collator.compare(one.language, other.language));
  const add = (tag: string) => of.set(`labels.${tag}`, '');
  return (
    <Section title={shared.translations}>
      {rows.length === 0 && <p className="quiet">{texts.noTranslations}</p>}
      {rows.map(({ name, tag, language }) => (
        <Translation key={tag} of={of} name={name} language={language} tag={tag} />
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
  of: ValueForm;
  name: FieldName;
  language: string;
  tag: string;
}

function Translation({ of, name, language, tag }: TranslationProps) {
  const text = textIn(of.shown, name);
  const isNew = of.form.edits[name]?.from === null;
  return (
    <div className="field-row">
      <TextField
        label={language}
        value={text}
        lang={findLanguage(tag).tag}
        autoFocus={isNew && text === ''}
        fault={of.faults[name]}
        onChange={(to) => of.set(name, to)}
      />
      <Button look="icon" aria-label={shared.remove(language)} onPress={() => of.set(name, null)}>
        <X aria-hidden="true" size={16} />
      </Button>
    </div>
  );
}
