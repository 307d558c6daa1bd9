// Shows what two people changed in one value, and lets the user choose field by field.
import { useState } from 'react';
import { Label } from 'react-aria-components/Label';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import { Text } from 'react-aria-components/Text';
import { Button } from '../../parts/button.tsx';
import { catalogue } from '../../parts/catalogue.ts';
import { Actions } from '../../parts/dialog.tsx';
import { formatMoment } from '../../parts/format.tsx';
import { shellTexts } from '../../shell/texts.ts';
import { authorName } from '../actor.ts';
import { fieldName, fieldText } from '../items/field-texts.ts';
import { useLists } from '../queries.ts';
import { ValueHistory } from '../sentences/sentences.tsx';
import { shownTitle } from '../texts.ts';
import { type Choices, type ConflictRow, chosenChanges, conflictRows, isConflict, type Side } from './conflict.ts';
import type { Conflict, ConflictAnswer, MyChange } from './save-list.ts';

const texts = catalogue(
  {
    saveMine: 'Save my change',
    bothChanged: (label: string) => `You and someone else changed ${label}. Choose what to save.`,
    othersChanged: 'Your change isn’t saved yet. Others have changed the same values since:',
    before: (text: string) => `Before: ${text}`,
    mine: 'Mine',
    by: (name: string) => `By ${name}`,
    theirs: 'Theirs',
    onlyMine: 'Changed only by you; will be saved:',
    onlyTheirs: 'Changed only by others; will be kept:',
  },
  {
    saveMine: 'Meine Änderung speichern',
    bothChanged: (label: string) =>
      `Sie und jemand anderes haben ${label} geändert. Wählen Sie, was gespeichert werden soll.`,
    othersChanged: 'Ihre Änderung ist noch nicht gespeichert. Andere haben dieselben Werte seitdem geändert:',
    before: (text: string) => `Vorher: ${text}`,
    mine: 'Meine Eingabe',
    by: (name: string) => `Von ${name}`,
    theirs: 'Andere Änderung',
    onlyMine: 'Das haben nur Sie geändert. Es wird gespeichert:',
    onlyTheirs: 'Das haben nur andere geändert. Es bleibt so:',
  },
);

interface QuestionProps {
  conflict: Conflict;
  answer: (answer: ConflictAnswer) => void;
}

export function ConflictChoices({ conflict, answer }: QuestionProps) {
  const { mine } = conflict.change;
  if (mine === undefined) return <TheirEntries conflict={conflict} answer={answer} />;
  return <FieldByField conflict={conflict} mine={mine} answer={answer} />;
}

/** Used for changes that cannot be resolved field by field: retiring, restoring, settings, several values at once. */
function TheirEntries({ conflict, answer }: QuestionProps) {
  return (
    <>
      <p>{texts.othersChanged}</p>
      <ValueHistory entries={conflict.theirs} list={conflict.latest} />
      <Answers onSave={() => answer({})} onKeep={() => answer(undefined)} />
    </>
  );
}

function FieldByField({ conflict, mine, answer }: QuestionProps & { mine: MyChange }) {
  const latest = conflict.latest.items.find(({ value }) => value === mine.item.value) ?? null;
  const rows = conflictRows(mine.item, mine.changes, latest, conflict.theirs);
  const conflicts = rows.filter(isConflict);
  const [choices, setChoices] = useState<Choices>(() =>
    Object.fromEntries(conflicts.map(({ field }) => [field, 'mine' as const])),
  );
  return (
    <>
      <p>{texts.bothChanged(mine.item.label)}</p>
      {conflicts.map((row) => (
        <FieldChoice
          key={row.field}
          row={row}
          side={choices[row.field] ?? 'mine'}
          onChange={(side) => setChoices({ ...choices, [row.field]: side })}
        />
      ))}
      <OneSided title={texts.onlyMine} rows={rows.filter(({ changedBy }) => changedBy === 'mine')} side="mine" />
      <OneSided title={texts.onlyTheirs} rows={rows.filter(({ changedBy }) => changedBy === 'theirs')} side="theirs" />
      <Answers onSave={() => answer({ changes: chosenChanges(rows, choices) })} onKeep={() => answer(undefined)} />
    </>
  );
}

interface FieldChoiceProps {
  row: ConflictRow;
  side: Side;
  onChange: (side: Side) => void;
}

function FieldChoice({ row, side, onChange }: FieldChoiceProps) {
  const name = useFieldName()(row.field);
  const theirs =
    row.author === null ? texts.theirs : `${texts.by(authorName(row.author))}, ${formatMoment(row.author.at)}`;
  return (
    <RadioGroup className="conflict-field" value={side} onChange={(chosen) => onChange(chosen as Side)}>
      <Label>{name}</Label>
      <div className="conflict-sides">
        <Radio value="mine" className="conflict-side">
          <span className="quiet">{texts.mine}</span>
          <bdi>{fieldText(row.field, row.mine)}</bdi>
        </Radio>
        <Radio value="theirs" className="conflict-side">
          <span className="quiet">{theirs}</span>
          <bdi>{fieldText(row.field, row.theirs)}</bdi>
        </Radio>
      </div>
      <Text slot="description" className="hint">
        {texts.before(fieldText(row.field, row.base))}
      </Text>
    </RadioGroup>
  );
}

function OneSided({ title, rows, side }: { title: string; rows: readonly ConflictRow[]; side: Side }) {
  const nameOf = useFieldName();
  if (rows.length === 0) return null;
  return (
    <>
      <p>{title}</p>
      <ul className="conflict-rest">
        {rows.map((row) => (
          <li key={row.field}>
            {nameOf(row.field)}: <bdi>{fieldText(row.field, row[side])}</bdi>
            {row.author !== null && side === 'theirs' && (
              <span className="quiet"> · {texts.by(authorName(row.author))}</span>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function useFieldName() {
  const summaries = useLists().data;
  const titleOf = (list: string) => {
    const found = summaries?.find((summary) => summary.list === list);
    return found === undefined ? list : shownTitle(found);
  };
  return (field: ConflictRow['field']) => fieldName(field, titleOf);
}

function Answers({ onSave, onKeep }: { onSave: () => void; onKeep: () => void }) {
  return (
    <Actions>
      <Button onPress={onKeep}>{shellTexts.keepEditing}</Button>
      <Button look="primary" onPress={onSave}>
        {texts.saveMine}
      </Button>
    </Actions>
  );
}
