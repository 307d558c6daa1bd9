// Form fields. `fault` says what is wrong with the input.
import { ChevronDown, Search as SearchIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Select, SelectValue } from 'react-aria-components/Select';
import { Text } from 'react-aria-components/Text';
import { TextArea } from 'react-aria-components/TextArea';
import { TextField as AriaTextField, type TextFieldProps as AriaTextFieldProps } from 'react-aria-components/TextField';

interface FieldTexts {
  label: string;
  hint?: ReactNode;
  fault?: string | undefined;
}

interface TextFieldProps extends Omit<AriaTextFieldProps, 'className' | 'children'>, FieldTexts {
  placeholder?: string;
  /** `auto` follows the direction of the text. */
  dir?: 'auto' | 'ltr';
}

export function TextField({ label, hint, fault, placeholder, dir = 'auto', ...props }: TextFieldProps) {
  return (
    <AriaTextField {...props} className="field" isInvalid={fault !== undefined}>
      <Label>{label}</Label>
      <Input dir={dir} {...(placeholder !== undefined && { placeholder })} />
      <FieldNotes hint={hint} fault={fault} />
    </AriaTextField>
  );
}

export function TextAreaField({ label, hint, fault, rows = 3, ...props }: TextFieldProps & { rows?: number }) {
  return (
    <AriaTextField {...props} className="field" isInvalid={fault !== undefined}>
      <Label>{label}</Label>
      <TextArea dir="auto" rows={rows} />
      <FieldNotes hint={hint} fault={fault} />
    </AriaTextField>
  );
}

/** A search field, which needs an aria-label. */
export function SearchBox(props: ComponentProps<'input'>) {
  return (
    <div className="search-box">
      <SearchIcon aria-hidden="true" size={16} />
      <input type="search" className="input" {...props} />
    </div>
  );
}

export function FieldNotes({ hint, fault }: Pick<FieldTexts, 'hint' | 'fault'>) {
  return (
    <>
      {hint !== undefined && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      <FieldError className="fault">{fault}</FieldError>
    </>
  );
}

export interface Choice<Id extends string = string> {
  id: Id;
  name: string;
}

interface SelectFieldProps<Id extends string> extends FieldTexts {
  choices: readonly Choice<Id>[];
  value: Id | null;
  onChange: (id: Id) => void;
  placeholder?: string;
  isDisabled?: boolean;
}

export function SelectField<Id extends string>({
  label,
  hint,
  fault,
  choices,
  value,
  onChange,
  placeholder,
  isDisabled = false,
}: SelectFieldProps<Id>) {
  return (
    <Select
      className="field"
      value={value}
      onChange={(id) => id !== null && onChange(id as Id)}
      isInvalid={fault !== undefined}
      isDisabled={isDisabled}
      {...(placeholder !== undefined && { placeholder })}
    >
      <Label>{label}</Label>
      <AriaButton className="select">
        <SelectValue />
        <ChevronDown aria-hidden="true" size={16} />
      </AriaButton>
      <FieldNotes hint={hint} fault={fault} />
      <Popover className="popover">
        <ListBox className="options" items={choices}>
          {({ id, name }) => (
            <ListBoxItem id={id} textValue={name} className="option">
              <bdi>{name}</bdi>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </Select>
  );
}
