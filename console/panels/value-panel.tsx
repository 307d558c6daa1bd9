import { navigate } from '../app-context.ts';
import { SidePanel } from '../parts/side-panel.tsx';

/** Without `value`, a new one. */
export function ValuePanel({ list, value }: { list: string; value?: string }) {
  return (
    <SidePanel title={value ?? list} onClose={() => navigate({ page: 'list', list })}>
      {value}
    </SidePanel>
  );
}
