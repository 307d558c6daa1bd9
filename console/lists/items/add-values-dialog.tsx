import { useMutation } from '@tanstack/react-query';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Badge } from '../../parts/content.tsx';
import { Actions, Dialog } from '../../parts/dialog.tsx';
import { shared } from '../../parts/texts.ts';
import { addressOf } from '../../routes.ts';
import type { KeptList } from '../../shell/api.ts';
import { useConsole } from '../../shell/console-context.ts';
import { ErrorNote } from '../../shell/error-note.tsx';
import { useClosing } from '../../shell/unsaved.tsx';
import { itemColumnTexts } from '../columns/texts.ts';
import { ReasonField } from '../saving/reason-field.tsx';
import { useSaveList } from '../saving/use-save-list.ts';
import { addingDocument, type CheckedRow, checkRows, maxPasted, type PastedRow, readPaste } from './pasted-values.ts';
import { itemTexts as texts } from './texts.ts';
import { typedValue, valueFromLabel } from './value-from-label.ts';

interface AddValuesDialogProps {
  list: KeptList;
  /** The pasted text. */
  text: string;
  /** Called with true if the values were added. */
  onClose: (isSaved: boolean) => void;
}

/** Shows pasted labels as a table to check, then adds the chosen ones as one change. */
export function AddValuesDialog({ list, text, onClose }: AddValuesDialogProps) {
  const [paste] = useState(() => readPaste(text));
  if (paste !== 'too many') return <CheckValues list={list} paste={paste} onClose={onClose} />;
  return (
    <Dialog title={texts.tooManyPasted} onClose={() => onClose(false)}>
      <p>{texts.tooManyPastedText(maxPasted)}</p>
      <Actions>
        <Button onPress={() => onClose(false)}>{shared.close}</Button>
        <ButtonLink look="primary" href={addressOf({ page: 'list-import', list: list.list })}>
          {texts.importFile}
        </ButtonLink>
      </Actions>
    </Dialog>
  );
}

interface CheckValuesProps {
  list: KeptList;
  paste: Exclude<ReturnType<typeof readPaste>, string>;
  onClose: (isSaved: boolean) => void;
}

function CheckValues({ list, paste, onClose }: CheckValuesProps) {
  const { api } = useConsole();
  const save = useSaveList(list.list);
  const [rows, setRows] = useState<readonly PastedRow[]>(paste.rows);
  const [reason, setReason] = useState('');
  /** Faults are shown after the first try. */
  const [tries, setTries] = useState(0);
  const checked = useMemo(() => checkRows(rows, list.items, valueFromLabel), [rows, list.items]);
  const chosen = checked.filter(({ isChosen }) => isChosen);
  const hasFaults = chosen.some(({ labelFault, valueFault }) => labelFault !== undefined || valueFault !== undefined);
  const close = useClosing(true, () => onClose(false), texts.discardText);
  const title = chosen.length === 0 ? texts.nothingToAdd : texts.addValues(chosen.length);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (tries > 0) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [tries]);

  const add = useMutation({
    mutationFn: () =>
      save({
        done: chosen.length === 1 ? texts.wasAdded(chosen[0]?.label ?? '') : texts.wereAdded(chosen.length),
        values: chosen.map(({ value }) => value),
        write: (_, latest) => api.apply(addingDocument(latest, chosen), { reason: reason.trim() || undefined }),
      }),
    onSuccess: (isSaved) => isSaved && onClose(true),
  });
  const change = (index: number, changes: Partial<PastedRow>) =>
    setRows(rows.map((row, at) => (at === index ? { ...row, ...changes } : row)));

  return (
    <Dialog title={title} isWide onClose={close}>
      <form
        ref={form}
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTries(tries + 1);
          if (!hasFaults && chosen.length > 0 && !add.isPending) add.mutate();
        }}
      >
        <p className="quiet">
          {paste.hasValues ? texts.twoColumns : texts.oneColumn} {paste.hasMore && texts.moreColumns}
        </p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
        <section className="boxed pasted" aria-label={texts.pastedValues} tabIndex={0}>
          <table className="table">
            <thead>
              <tr>
                <th scope="col">
                  <span className="unseen">{texts.add}</span>
                </th>
                <th scope="col">{itemColumnTexts.label}</th>
                <th scope="col">{itemColumnTexts.value}</th>
              </tr>
            </thead>
            <tbody>
              {checked.map((row, index) => (
                <PastedValue
                  // biome-ignore lint/suspicious/noArrayIndexKey: rows are never added, removed or moved
                  key={index}
                  line={index + 1}
                  row={row}
                  isChecked={tries > 0}
                  onChange={(changes) => change(index, changes)}
                />
              ))}
            </tbody>
          </table>
        </section>
        <ReasonField value={reason} onChange={setReason} />
        <ErrorNote error={add.error} onRetry={() => add.mutate()} />
        <Actions>
          <Button onPress={close}>{shared.cancel}</Button>
          <Button type="submit" look="primary" isDisabled={chosen.length === 0} aria-disabled={add.isPending}>
            {add.isPending ? shared.saving : chosen.length === 0 ? texts.add : title}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}

interface PastedValueProps {
  line: number;
  row: CheckedRow;
  /** Whether faults are shown. */
  isChecked: boolean;
  onChange: (changes: Partial<PastedRow>) => void;
}

function PastedValue({ line, row, isChecked, onChange }: PastedValueProps) {
  const id = useId();
  const [labelFault, valueFault] = isChecked ? [row.labelFault, row.valueFault] : [undefined, undefined];
  return (
    <tr data-left-out={!row.isChosen || undefined}>
      <td>
        <input
          type="checkbox"
          checked={row.isChosen}
          aria-label={texts.addRow(row.label)}
          onChange={(event) => onChange({ isChosen: event.target.checked })}
        />
      </td>
      <td>
        <input
          className="input"
          dir="auto"
          value={row.label}
          aria-label={texts.labelInLine(line)}
          aria-invalid={labelFault !== undefined}
          aria-describedby={id}
          onChange={(event) => onChange({ label: event.target.value })}
        />
        <div id={id}>
          {labelFault !== undefined && <span className="fault">{labelFault}</span>}
          {row.doubt !== undefined && <Badge tone="warning">{doubtText(row.doubt)}</Badge>}
        </div>
      </td>
      <td>
        <input
          className="input"
          dir="ltr"
          value={row.value}
          aria-label={texts.valueInLine(line)}
          aria-invalid={valueFault !== undefined}
          {...(valueFault !== undefined && { 'aria-describedby': `${id}-value` })}
          onChange={(event) => onChange({ value: typedValue(event.target.value) })}
        />
        {valueFault !== undefined && (
          <span id={`${id}-value`} className="fault">
            {valueFault}
          </span>
        )}
      </td>
    </tr>
  );
}

function doubtText(doubt: NonNullable<CheckedRow['doubt']>): string {
  if (doubt.kind === 'heading') return texts.isHeading;
  if (doubt.kind === 'repeated') return texts.isRepeated(doubt.line);
  return doubt.item.status === 'retired' ? texts.isRetired(doubt.item.value) : texts.isListed(doubt.item.value);
}
