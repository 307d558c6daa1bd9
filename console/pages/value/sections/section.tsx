import { type ReactNode, useId } from 'react';
import type { FieldName, Fields } from '../../../lists/items/item-fields.ts';

/** A part of the panel under a heading. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="value-section" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
    </section>
  );
}

export function textIn(fields: Fields, name: FieldName): string {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
}

/** Null if there is none. */
export function dayIn(fields: Fields, name: 'validFrom' | 'validTo'): string | null {
  return textIn(fields, name) || null;
}

export function valuesIn(fields: Fields, name: FieldName): readonly string[] {
  const value = fields[name];
  return value === undefined || value === null || typeof value === 'string' ? [] : value;
}
