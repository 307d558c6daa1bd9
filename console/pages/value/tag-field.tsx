import { X } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { Tag, TagGroup, TagList } from 'react-aria-components/TagGroup';
import { tagsIn } from './item-form.ts';
import { TextField } from '../../parts/fields.tsx';

interface TagFieldProps {
  label: string;
  hint?: string;
  fault?: string | undefined;
  tags: readonly string[];
  /** What is typed and not yet among them. */
  text: string;
  onChange: (tags: readonly string[], text: string) => void;
}

/** Words, each added with Enter, a blank or a comma. */
export function TagField({ label, hint, fault, tags, text, onChange }: TagFieldProps) {
  const add = () => onChange([...new Set([...tags, ...tagsIn(text)])], '');
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key === 'Backspace' && text === '' && tags.length > 0) onChange(tags.slice(0, -1), '');
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || text.trim() === '') return;
    // Not the form: the word is not complete before.
    event.preventDefault();
    add();
  };
  return (
    <div className="tag-field">
      <div onKeyDownCapture={onKeyDown}>
        <TextField
          label={label}
          hint={hint}
          fault={fault}
          value={text}
          onChange={(to) => {
            if (!/[\s,;]$/.test(to)) onChange(tags, to);
            else onChange([...new Set([...tags, ...tagsIn(to)])], '');
          }}
          onBlur={() => text.trim() !== '' && add()}
        />
      </div>
      {tags.length > 0 && (
        <TagGroup
          aria-label={label}
          onRemove={(removed) =>
            onChange(
              tags.filter((tag) => !removed.has(tag)),
              text,
            )
          }
        >
          <TagList className="tags">
            {tags.map((tag) => (
              <Tag key={tag} id={tag} textValue={tag} className="tag">
                <bdi>{tag}</bdi>
                <AriaButton slot="remove" className="button icon">
                  <X aria-hidden="true" size={12} />
                </AriaButton>
              </Tag>
            ))}
          </TagList>
        </TagGroup>
      )}
    </div>
  );
}
