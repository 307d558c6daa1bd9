import type { ReactNode } from 'react';

interface EmptyStateProps {
  icon?: ReactNode;
  title: string;
  text?: ReactNode;
  /** Buttons for what to do about it. */
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
