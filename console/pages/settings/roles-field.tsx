// A field for the roles with access to a list. The user types one role at a time, or chooses one that is known.
import { TriangleAlert } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { ComboBox } from 'react-aria-components/ComboBox';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Button } from '../../parts/button.tsx';
import { Tags } from '../../parts/chips.tsx';
import { FieldNotes } from '../../parts/fields.tsx';
import { shared } from '../../parts/texts.ts';
import { addRole, isUnknownRole, suggestRoles } from './settings-form.ts';
import { settingsTexts as texts } from './texts.ts';

interface RolesFieldProps {
  label: string;
  hint: string;
  /** Shown if there are no roles. */
  ifNone: string;
  inputLabel: string;
  addLabel: string;
  roles: readonly string[];
  onChange: (roles: readonly string[]) => void;
  /** A role that is typed but not yet added. It is saved too. */
  typed: string;
  onType: (typed: string) => void;
  note?: string | undefined;
  isReadOnly: boolean;
  /** The roles that people have; undefined until they are loaded. */
  known: readonly string[] | undefined;
}

const faults = { there: texts.roleThere, long: texts.roleTooLong, many: texts.tooManyRoles };

export function RolesField({ label, hint, ifNone, roles, onChange, note, isReadOnly, ...input }: RolesFieldProps) {
  const unknown = roles.filter((role) => isUnknownRole(role, input.known));
  return (
    <fieldset className="roles">
      <legend className="field-label">{label}</legend>
      <p className="hint">{hint}</p>
      {roles.length === 0 ? (
        <p>{ifNone}</p>
      ) : (
        <Tags
          label={label}
          tags={roles}
          onChange={isReadOnly ? undefined : onChange}
          removeLabel={shared.remove}
          iconSize={14}
        />
      )}
      {unknown.length > 0 && (
        <ul className="unknown-roles" aria-live="polite">
          {unknown.map((role) => (
            <li key={role}>
              <TriangleAlert aria-hidden="true" size={14} /> <bdi>{role}</bdi>: {texts.unknownRole}
            </li>
          ))}
        </ul>
      )}
      {note !== undefined && <p className="fault">{note}</p>}
      {!isReadOnly && <RoleInput roles={roles} onChange={onChange} {...input} />}
    </fieldset>
  );
}

type RoleInputProps = Pick<
  RolesFieldProps,
  'inputLabel' | 'addLabel' | 'roles' | 'onChange' | 'typed' | 'onType' | 'known'
>;

function RoleInput({ inputLabel, addLabel, roles, onChange, typed, onType, known = [] }: RoleInputProps) {
  const [fault, setFault] = useState<string>();
  // Renders a new field after each choice, since an emptied field would open its options again.
  const [choices, setChoices] = useState(0);
  const suggested = suggestRoles(known, roles, typed).map((role) => ({ id: role }));
  const add = (role: string) => {
    const added = addRole(roles, role);
    if (typeof added === 'string') return setFault(faults[added]);
    setFault(undefined);
    onType('');
    if (added !== roles) onChange(added);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    // If an option is focused, Enter chooses it.
    const isOnOption = event.currentTarget.getAttribute('aria-activedescendant') !== null;
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || isOnOption || typed.trim() === '') return;
    event.preventDefault();
    add(typed);
  };
  return (
    <div className="role-input">
      <ComboBox
        key={choices}
        className="field"
        items={suggested}
        inputValue={typed}
        onInputChange={(text) => {
          onType(text);
          setFault(undefined);
        }}
        value={null}
        menuTrigger="focus"
        allowsCustomValue
        isInvalid={fault !== undefined}
        onChange={(role) => {
          if (role === null) return;
          setChoices(choices + 1);
          add(String(role));
        }}
      >
        <Label>{inputLabel}</Label>
        <Input maxLength={300} spellCheck="false" autoComplete="off" onKeyDown={onKeyDown} />
        <FieldNotes hint={undefined} fault={fault} />
        <Popover className="popover">
          <ListBox<(typeof suggested)[number]> className="options">
            {({ id }) => (
              <ListBoxItem id={id} textValue={id} className="option">
                <bdi>{id}</bdi>
              </ListBoxItem>
            )}
          </ListBox>
        </Popover>
      </ComboBox>
      <Button aria-label={addLabel} onPress={() => add(typed)} isDisabled={typed.trim() === ''}>
        {texts.add}
      </Button>
    </div>
  );
}
