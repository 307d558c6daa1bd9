// The side panel that shows a value, the buttons for the previous and next value, and the line with the value's status.

import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { dayOf } from '../../../src/lookup/rules/list-on-day.ts';
import { itemColumnTexts } from '../../lists/columns/texts.ts';
import { StatusBadge } from '../../lists/items/status-badge.tsx';
import { itemTexts } from '../../lists/items/texts.ts';
import { Button } from '../../parts/button.tsx';
import { shared } from '../../parts/texts.ts';
import { addressOf } from '../../routes.ts';
import type { KeptItem, KeptList } from '../../shell/api.ts';
import { navigate } from '../../shell/console-context.ts';
import { valueTexts as texts } from './texts.ts';

interface SidePanelProps {
  title: ReactNode;
  /** Buttons beside the title. */
  tools?: ReactNode;
  children: ReactNode;
  /** Always visible at the bottom. */
  footer?: ReactNode;
  /** Called for Escape, ✕ and a click outside the panel. It may ask before closing. */
  onClose: () => void;
}

/** A panel at the right edge of the page (at the left in right-to-left languages), full screen on a phone. */
export function SidePanel({ title, tools, children, footer, onClose }: SidePanelProps) {
  const id = useId();
  return (
    <ModalOverlay className="overlay beside" isOpen isDismissable onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Modal className="side-panel">
        <Dialog className="panel" aria-labelledby={id}>
          <header className="panel-head">
            <Heading id={id} slot="title" level={2}>
              {title}
            </Heading>
            <div className="row">
              {tools}
              <Button look="icon" aria-label={shared.close} onPress={onClose}>
                <X aria-hidden="true" size={18} />
              </Button>
            </div>
          </header>
          <div className="panel-body">{children}</div>
          {footer !== undefined && <footer className="panel-foot">{footer}</footer>}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/**
 * The button that opened the shown value. It gets the focus again, so that it can be pressed several times in a row.
 */
let pressed: 'previous' | 'next' | undefined;

/** Buttons that open the previous and the next value in list order. The console asks before unsaved input is lost. */
export function Neighbours({ list, value }: { list: KeptList; value: string }) {
  const index = list.items.findIndex((item) => item.value === value);
  const [before, after] = [list.items[index - 1], list.items[index + 1]];
  const [led] = useState(pressed);
  useEffect(() => {
    pressed = undefined;
  }, []);
  const open = (item: typeof before, button: typeof pressed) => {
    if (item === undefined) return;
    pressed = button;
    navigate({ page: 'value', list: list.list, value: item.value });
  };
  return (
    <>
      <Button
        look="icon"
        aria-label={texts.previous}
        autoFocus={led === 'previous'}
        isDisabled={before === undefined}
        onPress={() => open(before, 'previous')}
      >
        <ChevronUp aria-hidden="true" size={18} />
      </Button>
      <Button
        look="icon"
        aria-label={texts.next}
        autoFocus={led === 'next'}
        isDisabled={after === undefined}
        onPress={() => open(after, 'next')}
      >
        <ChevronDown aria-hidden="true" size={18} />
      </Button>
    </>
  );
}

const longWords = { expired: itemTexts.expired, retired: texts.retiredOn };

/** The value's status today, and its replacement. */
export function StatusLine({ list, item }: { list: KeptList; item: KeptItem }) {
  const { replacedBy } = item;
  return (
    <p className="row">
      <StatusBadge item={item} day={dayOf(new Date())} words={longWords} />
      {replacedBy !== null && (
        <span>
          {itemColumnTexts.replacedBy}{' '}
          <a href={addressOf({ page: 'value', list: list.list, value: replacedBy })}>
            <bdi>{list.items.find(({ value }) => value === replacedBy)?.label ?? replacedBy}</bdi>
          </a>
        </span>
      )}
    </p>
  );
}
