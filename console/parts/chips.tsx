import { X } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { Tag, TagGroup, TagList } from 'react-aria-components/TagGroup';
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

interface TagsProps {
  label: string;
  tags: readonly string[];
  nameOf?: (tag: string) => string;
  /** Called with the remaining tags. Without it, tags cannot be removed. */
  onChange?: ((tags: string[]) => void) | undefined;
  removeLabel?: (tag: string) => string;
  iconSize?: number;
}

/** Words that can be removed one by one. */
export function Tags({ label, tags, nameOf = (tag) => tag, onChange, removeLabel, iconSize = 12 }: TagsProps) {
  return (
    <TagGroup
      aria-label={label}
      {...(onChange && { onRemove: (removed) => onChange(tags.filter((tag) => !removed.has(tag))) })}
    >
      <TagList className="tags" items={tags.map((id) => ({ id, name: nameOf(id) }))}>
        {({ id, name }) => (
          <Tag id={id} textValue={name} className="tag">
            <bdi>{name}</bdi>
            {onChange && (
              <AriaButton slot="remove" className="button icon" {...(removeLabel && { 'aria-label': removeLabel(id) })}>
                <X aria-hidden="true" size={iconSize} />
              </AriaButton>
            )}
          </Tag>
        )}
      </TagList>
    </TagGroup>
  );
}
