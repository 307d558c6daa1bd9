import type { ReactNode } from 'react';
import { Menu, MenuItem, type MenuProps, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { Button } from './button.tsx';
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
  /** The accessible name of the menu. */
  label?: string;
  choices: readonly MenuChoice[];
  icon: ReactNode;
  children: ReactNode;
}

export function MenuButton({ label = shared.moreActions, choices, icon, children }: MenuButtonProps) {
  return (
    <MenuTrigger>
      <Button icon={icon}>{children}</Button>
      <Popover className="popover">
        <Choices choices={choices} aria-label={label} />
      </Popover>
    </MenuTrigger>
  );
}

interface ChoicesProps extends Pick<MenuProps<MenuChoice>, 'aria-label' | 'autoFocus' | 'onClose'> {
  choices: readonly MenuChoice[];
}

/** The open menu. */
export function Choices({ choices, ...props }: ChoicesProps) {
  return (
    <Menu {...props} className="options" items={choices}>
      {({ id, name, icon, isDisabled = false, isDanger, onChoose }) => (
        <MenuItem
          id={id}
          textValue={name}
          isDisabled={isDisabled}
          onAction={onChoose}
          className={`option ${isDanger ? 'danger' : ''}`}
        >
          {icon}
          {name}
        </MenuItem>
      )}
    </Menu>
  );
}
