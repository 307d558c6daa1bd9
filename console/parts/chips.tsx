import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import { formatNumber } from './catalogue.ts';

interface Chip<Id extends string> {
  id: Id;
  name: string;
  count?: number;
}

interface ChipsProps<Id extends string> {
  label: string;
  chips: readonly Chip<Id>[];
  value: Id;
  onChange: (id: Id) => void;
}

/** A row of filters with one selected. */
export function Chips<Id extends string>({ label, chips, value, onChange }: ChipsProps<Id>) {
  return (
    <ToggleButtonGroup
      className="chips"
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={(ids) => {
        const [id] = ids;
        if (id !== undefined) onChange(id as Id);
      }}
    >
      {chips.map(({ id, name, count }) => (
        <ToggleButton key={id} id={id} className="chip">
          {name}
          {count !== undefined && <span className="count">{formatNumber(count)}</span>}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
