// Ctrl+K goes to a list, a value or a page, or adds a value to a list. It works by keyboard alone, on every page.
import { FileText, Keyboard, List, type LucideIcon, Plus, Search, Tag } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Collection } from 'react-aria-components/Collection';
import { Dialog } from 'react-aria-components/Dialog';
import { Header } from 'react-aria-components/Header';
import { Input } from 'react-aria-components/Input';
import { ListBox, ListBoxItem, ListBoxSection } from 'react-aria-components/ListBox';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { TextField } from 'react-aria-components/TextField';
import { useLists, useSearch } from '../../lists/queries.ts';
import { keyText } from '../../parts/texts.ts';
import type { Place } from '../../routes.ts';
import { navigate, useConsole } from '../../shell/console-context.ts';
import { shellTexts } from '../../shell/texts.ts';
import { type GoToEntry, type GoToSection, goToSections } from './found.ts';
import { FoundText, searchPauseMs, searchStatus, useDebounced } from './list-search.tsx';
import { listsTexts as texts } from './texts.ts';

const icons: Record<GoToSection['id'], LucideIcon> = { lists: List, pages: FileText, add: Plus, values: Tag };

interface GoToProps {
  /** The current page. */
  place: Place | undefined;
  /** The text that was typed before this dialog was on the page. */
  typedEarly: RefObject<string>;
  onClose: () => void;
  onShowKeys: () => void;
}

export function GoTo({ place, typedEarly, onClose, onShowKeys }: GoToProps) {
  const { permissions } = useConsole();
  const [text, setText] = useState('');
  const [wantsFirst, setWantsFirst] = useState(false);
  useLayoutEffect(() => {
    setText(typedEarly.current);
    typedEarly.current = '';
  }, [typedEarly]);
  const words = useDebounced(text, searchPauseMs);
  const { data: lists } = useLists({ isNeeded: permissions.seeLists });
  const { data: found, error, isFetching } = useSearch(permissions.seeLists ? words : '');
  const hasText = text.trim() !== '';
  const hasWords = /[\p{L}\p{N}]/u.test(text);
  const isSettled = !permissions.seeLists || !hasWords || (words === text && !isFetching);
  const items = hasWords ? found?.items : undefined;
  const sections = useMemo(
    () => goToSections({ text, place, permissions, lists: lists ?? [], items: items ?? [] }),
    [text, place, permissions, lists, items],
  );
  const entries = sections.flatMap((section) => section.entries);
  const first = entries[0];

  const open = (entry: GoToEntry | undefined) => {
    if (entry === undefined) return;
    onClose();
    if (entry.place === undefined) onShowKeys();
    else navigate(entry.place);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the answer to the current text has arrived
  useEffect(() => {
    if (!wantsFirst || !isSettled) return;
    setWantsFirst(false);
    open(first);
  }, [wantsFirst, isSettled, first]);

  /** Whether Enter waits for the values that match the current text, because nothing else matches it. */
  const isWaiting = !isSettled && (sections[0]?.id ?? 'values') === 'values';
  /** Enter opens the first entry if none has been chosen with the arrow keys. */
  const onKeyDownCapture = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || !hasText) return;
    if (event.currentTarget.querySelector('[role=option][data-focused]') !== null) return;
    event.preventDefault();
    event.stopPropagation();
    if (isWaiting) setWantsFirst(true);
    else open(first);
  };
  return (
    <ModalOverlay
      className="overlay go-to-overlay"
      isOpen
      isDismissable
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <Modal className="modal go-to">
        <Dialog className="go-to-dialog" aria-label={shellTexts.goTo}>
          <div className="go-to-parts" onKeyDownCapture={onKeyDownCapture}>
            {/* If Autocomplete chose the first entry, `aria-activedescendant` could name one that has disappeared. */}
            <Autocomplete
              disableAutoFocusFirst
              inputValue={text}
              onInputChange={(typed) => {
                setText(typed);
                setWantsFirst(false);
              }}
            >
              <TextField className="go-to-field" aria-label={texts.goToField} autoFocus>
                <Search aria-hidden="true" size={18} />
                <Input
                  role="combobox"
                  aria-expanded
                  aria-haspopup="listbox"
                  dir="auto"
                  maxLength={100}
                  placeholder={texts.goToField}
                  autoComplete="off"
                  spellCheck="false"
                />
              </TextField>
              <ListBox<GoToSection>
                className="options go-to-options"
                aria-label={texts.goToField}
                items={sections}
                onAction={(id) => open(entries.find((entry) => entry.id === id))}
                renderEmptyState={() => (
                  <p className="quiet" role="status">
                    {searchStatus(isSettled, error)}
                  </p>
                )}
              >
                {({ id, name, entries: ofSection }) => (
                  <ListBoxSection id={id} aria-label={name}>
                    <Header className="section-head">{name}</Header>
                    <Collection items={ofSection}>
                      {(entry) => (
                        <ListBoxItem
                          id={entry.id}
                          textValue={entry.name}
                          className={entry === first && hasText ? 'option first' : 'option'}
                        >
                          <EntryIcon icon={entry.place === undefined ? Keyboard : icons[id]} />
                          <FoundText found={entry} />
                        </ListBoxItem>
                      )}
                    </Collection>
                  </ListBoxSection>
                )}
              </ListBox>
            </Autocomplete>
          </div>
          <p className="unseen" role="status">
            {isSettled && hasText && first !== undefined ? texts.goToFirst(first.name) : ''}
          </p>
          <p className="go-to-foot quiet" aria-hidden="true">
            <span>
              <kbd>↑</kbd> <kbd>↓</kbd> {texts.goToChoose}
            </span>
            <span>
              <kbd>↵</kbd> {texts.goToOpen}
            </span>
            <span>
              <kbd>{keyText('Escape')}</kbd> {texts.goToClose}
            </span>
          </p>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function EntryIcon({ icon: Icon }: { icon: LucideIcon }) {
  return <Icon aria-hidden="true" size={16} />;
}
