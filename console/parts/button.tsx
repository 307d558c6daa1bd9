import { Check, Copy } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import { shared } from './texts.ts';

type ButtonLook = 'normal' | 'primary' | 'plain' | 'danger' | 'icon';

interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'children'> {
  look?: ButtonLook;
  /** Shown before the text. */
  icon?: ReactNode;
  children?: ReactNode;
}

/** `look="icon"` needs an aria-label. */
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

/** A link that looks like a button. */
export function ButtonLink({ href, look = 'normal', icon, children }: ButtonLinkProps) {
  return (
    <a href={href} className={`button ${look}`}>
      {icon}
      {children}
    </a>
  );
}

/** Copies a text and confirms it briefly. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => setDone(false), 1500);
    return () => clearTimeout(timer);
  }, [isDone]);
  const Icon = isDone ? Check : Copy;
  return (
    <Button
      look="icon"
      aria-label={label}
      onPress={() => void navigator.clipboard.writeText(text).then(() => setDone(true))}
    >
      <Icon aria-hidden="true" size={16} />
      <span className="unseen" role="status">
        {isDone ? shared.copied : ''}
      </span>
    </Button>
  );
}
