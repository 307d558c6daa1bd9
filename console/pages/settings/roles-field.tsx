// A field for the roles with access to a list. The user types one role at a time.
import { type KeyboardEvent, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Tags } from '../../parts/chips.tsx';
import { TextField } from '../../parts/fields.tsx';
import { shared } from '../../parts/texts.ts';
import { addRole } from './settings-form.ts';
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
}

const faults = { there: texts.roleThere, long: texts.roleTooLong, many: texts.tooManyRoles };

export function RolesField({ label, hint, ifNone, roles, onChange, note, isReadOnly, ...input }: RolesFieldProps) {
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
      {note !== undefined && <p className="fault">{note}</p>}
      {!isReadOnly && <RoleInput roles={roles} onChange={onChange} {...input} />}
    </fieldset>
  );
}

type RoleInputProps = Pick<RolesFieldProps, 'inputLabel' | 'addLabel' | 'roles' | 'onChange' | 'typed' | 'onType'>;

function RoleInput({ inputLabel, addLabel, roles, onChange, typed, onType }: RoleInputProps) {
  const [fault, setFault] = useState<string>();
  const add = () => {
    const added = addRole(roles, typed);
    if (typeof added === 'string') return setFault(faults[added]);
    setFault(undefined);
    onType('');
    if (added !== roles) onChange(added);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || typed.trim() === '') return;
    event.preventDefault();
    add();
  };
  return (
    <div className="role-input">
      <TextField
        label={inputLabel}
        value={typed}
        onChange={(text) => {
          onType(text);
          setFault(undefined);
        }}
        onKeyDown={(event) => onKeyDown(event as unknown as KeyboardEvent)}
        fault={fault}
        maxLength={300}
        spellCheck="false"
        autoComplete="off"
      />
      <Button aria-label={addLabel} onPress={add} isDisabled={typed.trim() === ''}>
        {texts.add}
      </Button>
    </div>
  );
}
