// The languages above the grid, each with how much of it is translated.
import { X } from 'lucide-react';
import { languageName } from '../../lists/languages/language-names.ts';
import { Button } from '../../parts/button.tsx';
import { translationTexts } from './texts.ts';
import type { GridView } from './use-view.ts';

interface GridHeadProps {
  view: GridView;
  counts: ReadonlyMap<string, number>;
  /** Active values. */
  total: number;
}

export function GridHead({ view, counts, total }: GridHeadProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows of a table cannot be placed one by one
    <div role="rowgroup" className="translation-head">
      {/* biome-ignore lint/a11y/useFocusableInteractive: nothing can be done with it */}
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      <div role="row" aria-rowindex={1} className="translation-row">
        {/* biome-ignore lint/a11y/useFocusableInteractive: as above */}
        {/* biome-ignore lint/a11y/useSemanticElements: as above */}
        <div role="columnheader" aria-colindex={1} className="translation-cell translation-label">
          {translationTexts.label}
        </div>
        {view.tags.map((tag, index) => {
          const name = languageName(tag);
          const count = counts.get(tag) ?? 0;
          const isEmpty = count === 0 && !view.saved.includes(tag);
          return (
            // biome-ignore lint/a11y/useFocusableInteractive: as above
            // biome-ignore lint/a11y/useSemanticElements: as above
            <div key={tag} role="columnheader" aria-colindex={index + 2} aria-label={name} className="translation-cell">
              <span className="translation-language">
                <bdi>{name}</bdi>
                <span className="quiet">{translationTexts.translated(count, total)}</span>
                {isEmpty && (
                  <Button
                    look="icon"
                    aria-label={translationTexts.removeLanguage(name)}
                    onPress={() => view.removeLanguage(tag)}
                  >
                    <X aria-hidden="true" size={14} />
                  </Button>
                )}
              </span>
              <progress max={Math.max(1, total)} value={count} aria-label={translationTexts.progress(name)} />
            </div>
          );
        })}
      </div>
    </div>
  );
}
