import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { shared } from './texts.ts';
import { Button } from './button.tsx';

/** Copies a text, and says so for a moment. With an icon alone unless it has text. */
export function CopyButton({ text, label, children }: { text: string; label: string; children?: string }) {
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => setDone(false), 1500);
    return () => clearTimeout(timer);
  }, [isDone]);
  const Icon = isDone ? Check : Copy;
  return (
    <Button
      look={children === undefined ? 'icon' : 'plain'}
      aria-label={label}
      onPress={() => void navigator.clipboard.writeText(text).then(() => setDone(true))}
    >
      <Icon aria-hidden="true" size={16} />
      {children}
      <span className="unseen" role="status">
        {isDone ? shared.copied : ''}
      </span>
    </Button>
  );
}
