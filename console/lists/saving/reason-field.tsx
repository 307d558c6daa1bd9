import type { ComponentProps } from 'react';
import { TextField } from '../../parts/fields.tsx';
import { sharedListTexts } from '../texts.ts';

/** Why a list is changed, for its history. */
export function ReasonField(props: Omit<ComponentProps<typeof TextField>, 'label' | 'hint'>) {
  return <TextField label={sharedListTexts.reason} hint={sharedListTexts.reasonHint} {...props} />;
}
