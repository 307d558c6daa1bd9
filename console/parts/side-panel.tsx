import { X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { Button } from './button.tsx';
import { shared } from './texts.ts';

interface SidePanelProps {
  title: ReactNode;
  /** Buttons beside the title. */
  tools?: ReactNode;
  children: ReactNode;
  /** Always visible at the bottom. */
  footer?: ReactNode;
  /** Called for Escape, ✕ and a click outside the panel. It may ask first. */
  onClose: () => void;
}

/** At the end side of the page; full screen on a phone. Open while it is rendered. */
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
