import type { ComponentProps } from 'react';
import { TextField } from '../../parts/fields.tsx';
import { sharedListTexts } from '../texts.ts';

/** Asks for the reason of a change, which the history shows. */
export function ReasonField(props: Omit<ComponentProps<typeof TextField>, 'label' | 'hint'>) {
  return <TextField label={sharedListTexts.reason} hint={sharedListTexts.reasonHint} {...props} />;
}
