import type { ComponentProps } from 'react';
import { TextField } from '../../parts/fields.tsx';
import { sharedListTexts } from '../texts.ts';

/** Asks for the reason for a change. The history shows it. */
export function ReasonField(props: Omit<ComponentProps<typeof TextField>, 'label' | 'hint'>) {
  return <TextField label={sharedListTexts.reason} hint={sharedListTexts.reasonHint} {...props} />;
}
