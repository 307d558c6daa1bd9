import type { ReactNode } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';

interface DialogProps {
  title: string;
  children: ReactNode;
  /** Also called for Escape. */
  onClose: () => void;
  /** If true, Escape does not close the dialog. */
  isFirm?: boolean;
  /** Whether the page behind the dialog is made unreadable. */
  hidesPage?: boolean;
  isWide?: boolean;
  /** Whether the dialog is a question that must be answered first. */
  isAlert?: boolean;
}

/** The dialog is open while it is rendered. It keeps the focus inside, and returns it when closed. */
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

/** The buttons of a dialog or form. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className="actions">{children}</div>;
}
