import { importTexts as texts } from './texts.ts';
import type { ImportState } from './use-import.ts';

const steps: [ImportState['step'], string][] = [
  ['file', texts.stepFile],
  ['columns', texts.stepColumns],
  ['check', texts.stepCheck],
];

/** Where one is. */
export function Steps({ current }: { current: ImportState['step'] }) {
  return (
    <ol className="steps" aria-label={texts.steps}>
      {steps.map(([step, name]) => (
        <li key={step} {...(step === current && { 'aria-current': 'step' as const })}>
          {name}
        </li>
      ))}
    </ol>
  );
}
