// The lists that may be put into the form, by title.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useConsole } from '../../shell/console-context.ts';
import type { ListSummary } from '../../shell/api.ts';
import { titleFromName } from './preview-request.ts';
import { keys } from '../../lists/queries.ts';
import { previewTexts } from './texts.ts';

/** Those that every service has. */
export const standardLists: Readonly<Record<string, string>> = {
  position: previewTexts.position,
  'overtime-eligibility': previewTexts.overtime,
  'employment-type': previewTexts.employmentType,
  'employee-level': previewTexts.level,
};

interface ReadableLists {
  titleOf: (list: string) => string;
  names: string[];
  /** Languages that some list has labels in. */
  languages: string[];
}

/** Only those who keep lists are told titles and languages. */
export function useReadableLists(): ReadableLists {
  const { api, desk, permissions } = useConsole();
  const kept = useQuery({
    queryKey: keys.lists,
    queryFn: ({ signal }) => api.lists(signal),
    enabled: permissions.seeLists,
  });
  const read = useQuery({
    queryKey: [...keys.lists, 'read'],
    queryFn: async ({ signal }) => Object.keys((await (await desk.request('/lookups', { signal })).json()) as object),
    // Whoever keeps all lists reads all of them: the answer with every item is not needed.
    enabled: !permissions.createLists,
  });
  return useMemo(() => {
    const shown = (kept.data ?? []).filter(({ archived }) => !archived);
    const titles = new Map([...Object.entries(standardLists), ...shown.map(titleEntry)]);
    const titleOf = (list: string) => titles.get(list) ?? titleFromName(list);
    const names = [...new Set([...shown.map(({ list }) => list), ...(read.data ?? [])])];
    const languages = new Set(shown.flatMap(({ translations }) => Object.keys(translations)));
    return {
      titleOf,
      names: names.sort((one, other) => titleOf(one).localeCompare(titleOf(other))),
      languages: [...languages],
    };
  }, [kept.data, read.data]);
}

const titleEntry = ({ list, title }: ListSummary): [string, string] => [list, title];
