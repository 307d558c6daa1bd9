import { Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import { itemColumnTexts } from '../../../lists/columns/texts.ts';
import { hasSeveralLines } from '../../../lists/items/pasted-values.ts';
import { LabelTaken } from '../../../lists/items/status-badge.tsx';
import { itemTexts } from '../../../lists/items/texts.ts';
import { CopyButton } from '../../../parts/button.tsx';
import { Note } from '../../../parts/content.tsx';
import { DayField } from '../../../parts/day-field.tsx';
import { TextAreaField, TextField } from '../../../parts/fields.tsx';
import { shared } from '../../../parts/texts.ts';
import { valueTexts as texts } from '../texts.ts';
import type { ValueForm } from '../use-value-form.ts';
import { dayIn, Section, textIn } from './section.tsx';

interface DetailsSectionProps {
  valueForm: ValueForm;
  list: string;
  /** Called if several lines are pasted as the label of a new value. */
  onPasteLines?: ((text: string) => void) | undefined;
  children: ReactNode;
}

/** `children` shows the value: an input for a new item, fixed text for an existing one. */
export function DetailsSection({ valueForm, list, onPasteLines, children }: DetailsSectionProps) {
  return (
    <Section title={shared.details}>
      <TextField
        label={itemColumnTexts.label}
        hint={onPasteLines === undefined ? texts.labelHint : texts.newLabelHint}
        isRequired
        validationBehavior="aria"
        autoFocus={valueForm.item.value === ''}
        value={textIn(valueForm.shown, 'label')}
        fault={valueForm.faults.label}
        onChange={(to) => valueForm.set('label', to)}
        onPaste={(event) => {
          const text = event.clipboardData.getData('text/plain');
          if (onPasteLines === undefined || !hasSeveralLines(text)) return;
          event.preventDefault();
          onPasteLines(text);
        }}
      />
      <div role="alert">
        {valueForm.sameLabel !== undefined && (
          <Note tone="warning" Icon={Copy}>
            <LabelTaken
              list={list}
              item={valueForm.sameLabel}
              confirmText={valueForm.item.value === '' ? itemTexts.addAnyway : itemTexts.saveAnyway}
              onConfirm={() => void valueForm.submit(true)}
            />
          </Note>
        )}
      </div>
      {children}
      <TextAreaField
        label={itemColumnTexts.description}
        hint={texts.descriptionHint}
        rows={2}
        value={textIn(valueForm.shown, 'description')}
        fault={valueForm.faults.description}
        // One line of text: pasted line breaks become spaces.
        onChange={(to) => valueForm.set('description', to.replaceAll(/\s*[\r\n]+\s*/g, ' '))}
      />
    </Section>
  );
}

/** The value of an existing item, which cannot be changed. */
export function FixedValue({ value }: { value: string }) {
  return (
    <div className="fixed-value">
      <span className="field-label">{itemColumnTexts.value}</span>
      <div className="row">
        <code>{value}</code>
        <CopyButton text={value} label={texts.copyValue} />
      </div>
      <span className="hint">{texts.valueHint}</span>
    </div>
  );
}

export function DatesSection({ valueForm }: { valueForm: ValueForm }) {
  return (
    <Section title={texts.dates}>
      <div className="columns">
        <DayField
          label={itemColumnTexts.validFrom}
          value={dayIn(valueForm.shown, 'validFrom')}
          fault={valueForm.faults.validFrom}
          onChange={(day) => valueForm.set('validFrom', day)}
        />
        <DayField
          label={itemColumnTexts.validTo}
          value={dayIn(valueForm.shown, 'validTo')}
          fault={valueForm.faults.validTo}
          onChange={(day) => valueForm.set('validTo', day)}
        />
      </div>
      <p className="hint">{texts.datesHint}</p>
    </Section>
  );
}
