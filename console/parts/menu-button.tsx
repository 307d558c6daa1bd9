import { Ellipsis } from 'lucide-react';
import type { ReactNode } from 'react';
import { Menu, MenuItem, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { Button, type ButtonLook } from './button.tsx';
import { shared } from './texts.ts';

export interface MenuChoice {
  id: string;
  name: string;
  icon?: ReactNode;
  isDisabled?: boolean;
  isDanger?: boolean;
  onChoose: () => void;
}

interface MenuButtonProps {
  /** The accessible name. */
  label?: string;
  choices: readonly MenuChoice[];
  look?: ButtonLook;
  icon?: ReactNode;
  children?: ReactNode;
}

/** Shows three dots unless it has an icon or text. */
export function MenuButton({ label = shared.moreActions, choices, look = 'icon', icon, children }: MenuButtonProps) {
  return (
    <MenuTrigger>
      <Button look={look} icon={icon} {...(children === undefined && { 'aria-label': label })}>
        {children ?? (icon === undefined && <Ellipsis aria-hidden="true" size={18} />)}
      </Button>
      <Popover className="popover">
        <Menu className="options" items={choices} aria-label={label}>
          {({ id, name, icon: itemIcon, isDisabled = false, isDanger, onChoose }) => (
            <MenuItem
              id={id}
              textValue={name}
              isDisabled={isDisabled}
              onAction={onChoose}
              className={`option ${isDanger ? 'danger' : ''}`}
            >
              {itemIcon}
              {name}
            </MenuItem>
          )}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
