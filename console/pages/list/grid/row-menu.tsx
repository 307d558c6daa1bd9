// One menu for all rows: a menu in each row would make scrolling slow.
import { useRef } from 'react';
import { Menu, MenuItem } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { listTexts } from '../texts.ts';

export interface RowMenuChoice {
  id: string;
  name: string;
  isDisabled?: boolean;
  isDanger?: boolean;
  choose: () => void;
}

interface RowMenuProps {
  label: string;
  button: HTMLElement;
  choices: readonly RowMenuChoice[];
  onClose: () => void;
}

export function RowMenu({ label, button, choices, onClose }: RowMenuProps) {
  const trigger = useRef(button);
  trigger.current = button;
  return (
    <Popover
      className="popover"
      triggerRef={trigger}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      placement="bottom end"
      aria-label={listTexts.actionsFor(label)}
    >
      <Menu
        className="options"
        aria-label={listTexts.actionsFor(label)}
        items={choices}
        autoFocus="first"
        onClose={onClose}
      >
        {({ id, name, isDisabled = false, isDanger, choose }) => (
          <MenuItem
            id={id}
            textValue={name}
            isDisabled={isDisabled}
            onAction={choose}
            className={`option ${isDanger ? 'danger' : ''}`}
          >
            {name}
          </MenuItem>
        )}
      </Menu>
    </Popover>
  );
}
