import { memo, useMemo, useState } from 'react';
import { authorName } from '../../lists/actor.ts';
import { itemTexts } from '../../lists/items/texts.ts';
import { languageName } from '../../lists/languages/language-names.ts';
import { languagesToTranslate, translatedPercent } from '../../lists/languages/to-translate.ts';
import { sharedListTexts, shownDescription, shownTitle } from '../../lists/texts.ts';
import { Button } from '../../parts/button.tsx';
import { browserLocale, counted, formatNumber } from '../../parts/catalogue.ts';
import { Badge } from '../../parts/content.tsx';
import { Moment } from '../../parts/format.tsx';
import { addressOf } from '../../routes.ts';
import type { ListSummary } from '../../shell/api.ts';
import { shellTexts } from '../../shell/texts.ts';
import { listsTexts as texts } from './texts.ts';

const maxShownAtFirst = 300;
const { compare } = new Intl.Collator(browserLocale);

interface ListsTableProps {
  lists: readonly ListSummary[];
  /** All lists, including those that the table does not show. */
  all: readonly ListSummary[];
}

export function ListsTable({ lists, all }: ListsTableProps) {
  const [isWhole, setWhole] = useState(false);
  const sorted = useMemo(() => lists.toSorted((a, b) => compare(shownTitle(a), shownTitle(b))), [lists]);
  const shown = isWhole ? sorted : sorted.slice(0, maxShownAtFirst);
  return (
    <>
      <div className="table-scroll">
        <table className="table lists-table" aria-label={shellTexts.lists}>
          <thead>
            <tr>
              <th scope="col">{texts.titleField}</th>
              <th scope="col" className="number wide-only">
                {sharedListTexts.values}
              </th>
              <th scope="col" className="number wide-only">
                {texts.scheduled}
              </th>
              <th scope="col" className="number wide-only">
                {itemTexts.retired}
              </th>
              <th scope="col" className="wide-only" title={texts.translatedNote}>
                {texts.translated}
              </th>
              <th scope="col" className="wide-only">
                {texts.lastChange}
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((summary) => (
              <Row key={summary.list} summary={summary} all={all} />
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < sorted.length && (
        <p className="row">
          <Button onPress={() => setWhole(true)}>{texts.showMore(sorted.length - shown.length)}</Button>
        </p>
      )}
      <p className="quiet small">{texts.translatedNote}</p>
    </>
  );
}

interface RowProps {
  summary: ListSummary;
  all: readonly ListSummary[];
}

const Row = memo(function Row({ summary, all }: RowProps) {
  const { list, active, scheduled, retired, archived, mayKeep } = summary;
  const description = shownDescription(summary);
  const languages = languagesToTranslate(summary.translations, all);
  const percent = translatedPercent(summary, languages);
  return (
    <tr>
      <th scope="row" className="list-title">
        <a href={addressOf({ page: 'list', list })}>
          <bdi>{shownTitle(summary)}</bdi>
        </a>
        {archived && <Badge>{texts.archived}</Badge>}
        {!mayKeep && <Badge>{texts.readOnly}</Badge>}
        {description !== null && (
          <span className="quiet list-description" dir="auto">
            {description}
          </span>
        )}
        <span className="quiet narrow-only">
          <NarrowFigures summary={summary} percent={percent} />
        </span>
      </th>
      <td className="number wide-only">{formatNumber(active)}</td>
      <Figure count={scheduled} />
      <Figure count={retired} />
      <td className="wide-only">
        <Translated percent={percent} languages={languages} />
      </td>
      <td className="wide-only last-change">
        <LastChange summary={summary} />
      </td>
    </tr>
  );
});

/** Zeros are greyed out, but still read by screen readers. */
function Figure({ count }: { count: number }) {
  return <td className={`number wide-only ${count === 0 ? 'quiet' : ''}`}>{formatNumber(count)}</td>;
}

function Translated({ percent, languages }: { percent: number | null; languages: readonly string[] }) {
  if (percent === null) return <span className="quiet">{texts.noLanguages}</span>;
  return (
    <span className="share" title={texts.languages(languages.map(languageName).join(', '))}>
      <span className="share-bar" aria-hidden="true">
        <span className={percent === 100 ? 'complete' : ''} style={{ inlineSize: `${percent}%` }} />
      </span>
      {texts.percent(percent)}
    </span>
  );
}

function LastChange({ summary: { updatedAt, updatedBy, updatedByName } }: { summary: ListSummary }) {
  return (
    <>
      <bdi>{authorName({ by: updatedBy, byName: updatedByName })}</bdi>{' '}
      <span className="quiet">
        <Moment at={updatedAt} isBrief />
      </span>
    </>
  );
}

/** On a phone, the other columns are shown in one line below the title. */
function NarrowFigures({ summary, percent }: { summary: ListSummary; percent: number | null }) {
  const { active, scheduled, retired } = summary;
  const figures = [
    counted(active, texts.oneValue, texts.manyValues),
    ...(scheduled > 0 ? [`${formatNumber(scheduled)} ${texts.scheduledFew}`] : []),
    ...(retired > 0 ? [`${formatNumber(retired)} ${texts.retiredFew}`] : []),
    ...(percent === null ? [] : [`${texts.percent(percent)} ${texts.translatedFew}`]),
  ];
  return (
    <>
      {figures.join(' · ')}
      <br />
      <LastChange summary={summary} />
    </>
  );
}
