// Searches all lists and their values. Enter opens the first result, or the result chosen by arrow keys.

import { Search } from 'lucide-react';
import { type FocusEvent, type KeyboardEvent, useEffect, useState } from 'react';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Collection } from 'react-aria-components/Collection';
import { Header } from 'react-aria-components/Header';
import { Input } from 'react-aria-components/Input';
import { ListBox, ListBoxItem, ListBoxSection } from 'react-aria-components/ListBox';
import { SearchField } from 'react-aria-components/SearchField';
import { useLists, useSearch } from '../../lists/queries.ts';
import { Badge } from '../../parts/content.tsx';
import { navigate } from '../../shell/console-context.ts';
import { type Found, type FoundSection, foundSections } from './found.ts';
import { listsTexts as texts } from './texts.ts';

export const searchPauseMs = 150;

export function ListSearch() {
  const [text, setText] = useState('');
  const [hasFocus, setFocus] = useState(false);
  const [wantsFirst, setWantsFirst] = useState(false);
  const words = useDebounced(text, searchPauseMs);
  const { data, error, isFetching } = useSearch(words);
  const { data: lists = [] } = useLists();
  const hasWords = /[\p{L}\p{N}]/u.test(text);
  const isOpen = hasWords && hasFocus;
  const isSettled = words === text && !isFetching;
  const sections = hasWords && data !== undefined ? foundSections(data, lists) : [];
  const first = sections[0]?.found[0];

  useEffect(() => {
    if (!wantsFirst || !isSettled) return;
    setWantsFirst(false);
    if (first !== undefined) navigate(first.place);
  }, [wantsFirst, isSettled, first]);

  /** While the results of an older text are shown, Enter waits for the results of the current text. */
  const onKeyDownCapture = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || isSettled) return;
    event.preventDefault();
    event.stopPropagation();
    setWantsFirst(hasWords);
  };
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) setFocus(false);
  };
  return (
    <search className="list-search" onKeyDownCapture={onKeyDownCapture} onFocus={() => setFocus(true)} onBlur={onBlur}>
      <Autocomplete
        inputValue={text}
        onInputChange={(typed) => {
          setText(typed);
          setWantsFirst(false);
        }}
      >
        <SearchField className="search-box field" aria-label={texts.search}>
          <Search aria-hidden="true" size={16} />
          <Input
            role="combobox"
            aria-expanded={isOpen}
            aria-haspopup="listbox"
            dir="auto"
            maxLength={100}
            placeholder={texts.search}
            title={texts.searchHint}
          />
        </SearchField>
        {isOpen && <Results sections={sections} emptyText={searchStatus(isSettled, error)} />}
      </Autocomplete>
    </search>
  );
}

/** The text that is shown while there are no results. */
export function searchStatus(isSettled: boolean, error: unknown): string {
  if (!isSettled) return texts.searching;
  return error === null ? texts.nothingFound : texts.searchFailed;
}

function Results({ sections, emptyText }: { sections: FoundSection[]; emptyText: string }) {
  const open = (id: string | number) => {
    const chosen = sections.flatMap(({ found }) => found).find((found) => found.id === id);
    if (chosen !== undefined) navigate(chosen.place);
  };
  return (
    <div className="popover search-results">
      <ListBox<FoundSection>
        className="options"
        aria-label={texts.search}
        items={sections}
        onAction={open}
        renderEmptyState={() => (
          <p className="quiet" role="status">
            {emptyText}
          </p>
        )}
      >
        {({ id, name, found }) => (
          <ListBoxSection id={id} aria-label={name}>
            <Header className="section-head">{name}</Header>
            <Collection items={found}>{(each) => <FoundOption found={each} />}</Collection>
          </ListBoxSection>
        )}
      </ListBox>
    </div>
  );
}

function FoundOption({ found }: { found: Found }) {
  return (
    <ListBoxItem id={found.id} textValue={found.name} className="option">
      <FoundText found={found} />
    </ListBoxItem>
  );
}

export function FoundText({ found: { name, match, title, isRetired } }: { found: Omit<Found, 'place'> }) {
  return (
    <>
      <span className="found">
        <bdi>{name}</bdi>
        {match !== undefined && <bdi className="quiet">{match}</bdi>}
        {isRetired && <Badge>{texts.retiredFew}</Badge>}
      </span>
      {title !== undefined && (
        <span className="quiet">
          <bdi>{texts.inList(title)}</bdi>
        </span>
      )}
    </>
  );
}

/** Returns a new value only after it has not changed for `ms` milliseconds. */
export function useDebounced<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
