import { List, Plus, Upload } from 'lucide-react';
import { useState } from 'react';
import { ExportAllMenu } from '../../lists/export/export-menu.tsx';
import { useKeepsLists, useLists } from '../../lists/queries.ts';
import { sharedListTexts } from '../../lists/texts.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Chips } from '../../parts/chips.tsx';
import { EmptyState, PageHeader } from '../../parts/content.tsx';
import { addressOf } from '../../routes.ts';
import { useConsole } from '../../shell/console-context.ts';
import { LoadingOrError } from '../../shell/loading.tsx';
import { shellTexts } from '../../shell/texts.ts';
import { ListSearch } from './list-search.tsx';
import { ListsTable } from './lists-table.tsx';
import { NewListDialog } from './new-list-dialog.tsx';
import { listsTexts as texts } from './texts.ts';

export function ListsPage() {
  const { permissions } = useConsole();
  const keepsLists = useKeepsLists();
  const query = useLists();
  const [filter, setFilter] = useState<'used' | 'archived'>('used');
  const [isCreating, setCreating] = useState(false);
  const lists = query.data ?? [];
  const used = lists.filter(({ archived }) => !archived);
  const archived = lists.filter((summary) => summary.archived);
  const newButton = permissions.createLists && (
    <Button look="primary" icon={<Plus aria-hidden="true" size={16} />} onPress={() => setCreating(true)}>
      {texts.newList}
    </Button>
  );
  const shown = filter === 'used' ? used : archived;
  return (
    <>
      <PageHeader title={shellTexts.lists}>
        {lists.length > 0 && <ExportAllMenu lists={lists.map(({ list }) => list)} />}
        {keepsLists && (
          <ButtonLink href={addressOf({ page: 'import' })} icon={<Upload aria-hidden="true" size={16} />}>
            {sharedListTexts.import}
          </ButtonLink>
        )}
        {newButton}
      </PageHeader>
      <div className="row lists-tools">
        <ListSearch />
        <Chips
          label={texts.filter}
          chips={[
            { id: 'used', name: texts.inUse, count: used.length },
            { id: 'archived', name: texts.archived, count: archived.length },
          ]}
          value={filter}
          onChange={setFilter}
        />
      </div>
      {query.data === undefined ? (
        <LoadingOrError query={query} />
      ) : shown.length > 0 ? (
        <ListsTable lists={shown} all={lists} />
      ) : filter === 'archived' ? (
        <EmptyState title={texts.noArchived} text={texts.noArchivedText} />
      ) : (
        <EmptyState icon={<List aria-hidden="true" size={24} />} title={texts.noLists} text={texts.noListsText}>
          {newButton}
        </EmptyState>
      )}
      {isCreating && <NewListDialog taken={lists.map(({ list }) => list)} onClose={() => setCreating(false)} />}
    </>
  );
}
