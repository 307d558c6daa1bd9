import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';

export type ButtonLook = 'normal' | 'primary' | 'plain' | 'danger' | 'icon';

export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'children'> {
  look?: ButtonLook;
  /** Before the text. */
  icon?: ReactNode;
  children?: ReactNode;
}

/** With `look="icon"` it needs an aria-label. */
export function Button({ look = 'normal', icon, children, ...props }: ButtonProps) {
  return (
    <AriaButton {...props} className={`button ${look}`}>
      {icon}
      {children}
    </AriaButton>
  );
}

interface ButtonLinkProps {
  href: string;
  look?: ButtonLook;
  icon?: ReactNode;
  children: ReactNode;
}

/** Leads to another page: a link that looks like a button. */
export function ButtonLink({ href, look = 'normal', icon, children }: ButtonLinkProps) {
  return (
    <a href={href} className={`button ${look}`}>
      {icon}
      {children}
    </a>
  );
}
