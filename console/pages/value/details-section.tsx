import type { ReactNode } from 'react';
import { CopyButton } from '../../parts/copy-button.tsx';
import { DayField } from '../../parts/day-field.tsx';
import { TextAreaField, TextField } from '../../parts/fields.tsx';
import { shared } from '../../parts/texts.ts';
import { valueTexts as texts } from './texts.ts';
import { Section } from './section.tsx';
import { dayIn, textIn } from './shown.ts';
import type { ValueForm } from './use-value-form.ts';

/** `children`: the value, which only a new one can choose. */
export function DetailsSection({ of, children }: { of: ValueForm; children: ReactNode }) {
  return (
    <Section title={texts.details}>
      <TextField
        label={texts.label}
        hint={texts.labelHint}
        isRequired
        validationBehavior="aria"
        autoFocus={of.item.value === ''}
        value={textIn(of.shown, 'label')}
        fault={of.faults.label}
        onChange={(to) => of.set('label', to)}
      />
      {children}
      <TextAreaField
        label={texts.description}
        hint={texts.descriptionHint}
        rows={2}
        value={textIn(of.shown, 'description')}
        fault={of.faults.description}
        // It is a line of text: pasted line breaks become blanks.
        onChange={(to) => of.set('description', to.replaceAll(/\s*[\r\n]+\s*/g, ' '))}
      />
    </Section>
  );
}

/** The value of an item that is there. */
export function FixedValue({ value }: { value: string }) {
  return (
    <div className="fixed-value">
      <span className="fixed-value-name">{texts.value}</span>
      <div className="row">
        <code>{value}</code>
        <CopyButton text={value} label={texts.copyValue} />
      </div>
      <span className="hint">{texts.valueHint}</span>
    </div>
  );
}

export function DatesSection({ of }: { of: ValueForm }) {
  return (
    <Section title={texts.dates}>
      <div className="columns">
        <DayField
          label={texts.from}
          value={dayIn(of.shown, 'validFrom')}
          fault={of.faults.validFrom}
          onChange={(day) => of.set('validFrom', day)}
        />
        <DayField
          label={texts.until}
          value={dayIn(of.shown, 'validTo')}
          fault={of.faults.validTo}
          onChange={(day) => of.set('validTo', day)}
        />
      </div>
      <p className="hint">{texts.datesHint}</p>
    </Section>
  );
}

export function ReasonField({ of }: { of: ValueForm }) {
  return (
    <TextField
      label={shared.reason}
      hint={shared.reasonHint}
      value={of.form.reason}
      fault={of.faults.reason}
      onChange={(reason) => of.change((form) => ({ ...form, reason }), 'reason')}
    />
  );
}
