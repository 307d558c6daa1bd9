// The common parts of pages: titles, empty states, notes and badges.
import { ChevronLeft, type LucideIcon } from 'lucide-react';
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react';
import { shared } from './texts.ts';

interface PageHeaderProps {
  /** Also the title of the window. */
  title: string;
  /** The title of the window, if it differs from the heading. */
  windowTitle?: string;
  text?: ReactNode;
  back?: { href: string; name: string };
  /** Buttons at the end of the header. */
  children?: ReactNode;
}

let hasShownPage = false;

/** The title of a page. It is focused after navigation, so that screen readers read it. */
export function PageHeader({ title, windowTitle = title, text, back, children }: PageHeaderProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${windowTitle} – ${shared.product}`;
  }, [windowTitle]);
  useEffect(() => {
    // Does not take the focus from something else on the page.
    const isFree = document.activeElement === null || document.activeElement === document.body;
    const wasInNavigation = document.activeElement?.closest('nav') !== null;
    if (hasShownPage && (isFree || wasInNavigation)) heading.current?.focus();
    hasShownPage = true;
  }, []);
  return (
    <header className="page-head">
      <div className="page-title">
        {back !== undefined && (
          <a className="back" href={back.href}>
            <ChevronLeft aria-hidden="true" size={16} className="flips" />
            <span>{back.name}</span>
          </a>
        )}
        <h1 ref={heading} tabIndex={-1} dir="auto">
          {title}
        </h1>
        {text !== undefined && <div className="quiet">{text}</div>}
      </div>
      {children !== undefined && <div className="row page-actions">{children}</div>}
    </header>
  );
}

interface EmptyStateProps {
  icon?: ReactNode;
  title: string;
  text?: ReactNode;
  /** Buttons for what the user can do next. */
  children?: ReactNode;
}

export function EmptyState({ icon, title, text, children }: EmptyStateProps) {
  return (
    <div className="empty">
      {icon}
      <p className="empty-title">{title}</p>
      {text !== undefined && <p className="quiet">{text}</p>}
      {children !== undefined && <div className="row">{children}</div>}
    </div>
  );
}

interface NoteProps extends Omit<ComponentProps<'div'>, 'className'> {
  tone: 'info' | 'warning' | 'bad';
  Icon: LucideIcon;
}

export function Note({ tone, Icon, children, ...props }: NoteProps) {
  return (
    <div className={`note ${tone}`} {...props}>
      <Icon aria-hidden="true" size={18} />
      <div className="note-body">{children}</div>
    </div>
  );
}

export type BadgeTone = 'neutral' | 'good' | 'info' | 'warning' | 'bad';

export function Badge({ tone = 'neutral', children }: { tone?: BadgeTone; children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>;
}
