import type { ReactNode } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';

interface DialogProps {
  title: string;
  children: ReactNode;
  /** Called for Escape too. */
  onClose: () => void;
  /** Cannot be closed with Escape. */
  isFirm?: boolean;
  /** Nothing of the page can be read behind it. */
  hidesPage?: boolean;
  isWide?: boolean;
  /** For questions that need an answer before anything else. */
  isAlert?: boolean;
}

/** Shown while it is rendered. The focus stays inside, and returns to where it was. */
export function Dialog({ title, children, onClose, isFirm, hidesPage, isWide, isAlert }: DialogProps) {
  return (
    <ModalOverlay
      className={`overlay ${hidesPage ? 'hides-page' : ''}`}
      isOpen
      isKeyboardDismissDisabled={isFirm ?? false}
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <Modal className={`modal ${isWide ? 'wide' : ''}`}>
        <AriaDialog className="dialog" role={isAlert ? 'alertdialog' : 'dialog'}>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** The buttons at the end of a dialog or form. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className="actions">{children}</div>;
}
