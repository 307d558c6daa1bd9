// What forms request and get: lists, and whether stored values are still valid.

import { z } from 'zod';
import { isObject } from '../../base/guards.ts';
import { DocumentHeaders } from '../../http/document.ts';
import { optionalHeader } from '../../http/route.ts';
import { extraFields } from '../rules/item.ts';
import { validateStatuses } from '../rules/judging.ts';
import { typeOf } from '../stored/stored-item.ts';

/** One item as forms get it. */
export const LookupItem = z
  .strictObject({
    id: z.int().meta({ description: 'Internal identifier. Clients must not use it' }),
    label: z.string().meta({ description: 'Human-readable text for display', example: 'Accountant' }),
    value: z.string().meta({ description: 'Machine-readable value, for storing', example: 'ACCOUNTANT' }),
    sortOrder: z.int().meta({ description: 'Display order', example: 120, format: 'int64' }),
  })
  .meta({ id: 'LookupItem' });
export type LookupItem = z.infer<typeof LookupItem>;

const LookupList = z.array(LookupItem).meta({ id: 'LookupList' });

/** An item with the fields that were requested. Not a union of two schemas, because generated clients have poor types for unions. */
const SelectedItem = z
  .strictObject({
    ...LookupItem.shape,
    ...Object.fromEntries(extraFields.map((name) => [name, typeOf(name).optional()])),
  })
  .meta({ id: 'SelectedItem', description: 'An item, with the fields that the parameter `fields` requests' });
export const SelectedList = z.array(SelectedItem).meta({ id: 'SelectedList' });
export const AllLookups = z.record(z.string(), LookupList).meta({ id: 'AllLookups' });

const ListTitle = z
  .strictObject({
    title: z.string().meta({ example: 'Employment type' }),
    description: z.string().nullable(),
  })
  .meta({ id: 'ListTitle' });
export type ListTitle = z.infer<typeof ListTitle>;
export const ListTitles = z.record(z.string(), ListTitle).meta({ id: 'ListTitles' });

export const LabelHeaders = z.object({
  'Accept-Language': optionalHeader(
    'The preferred languages of labels. Items without a translation have their plain label',
  ),
});

export const ListHeaders = DocumentHeaders.extend({
  'If-None-Match': optionalHeader('The ETag of your copy. If it is still current, the answer is 304'),
  ...LabelHeaders.shape,
});

export const TitleHeaders = ListHeaders.extend({
  'Accept-Language': optionalHeader('The preferred languages. Texts without a translation are in English'),
});

/** Maximum number of values for `POST /lookups/validate`. Its description repeats it. */
const mostValues = 1000;

/**
 * A single value is accepted too. The contract documents only the array, because Java generators cannot handle a union.
 */
const StoredValues = z
  .union([z.array(z.string()), z.string()])
  .meta({ type: 'array', items: { type: 'string' }, anyOf: undefined });

/** Values are counted before they are parsed, even if they are malformed. */
export const ValidateRequest = z.preprocess(
  (sent, context) => {
    const lists = isObject(sent) ? Object.values(sent) : [];
    const count = lists.reduce((sum: number, values) => sum + (Array.isArray(values) ? values.length : 1), 0);
    if (count > mostValues) context.addIssue(`must have at most ${mostValues} values, in all lists together`);
    return sent;
  },
  z
    .record(z.string(), StoredValues)
    .meta({ id: 'ValidateRequest', example: { position: ['ACCOUNTANT'], 'employee-level': ['LEAD', 'X'] } }),
);

export type ValidateRequest = z.infer<typeof ValidateRequest>;

const ValidateOutcome = z
  .strictObject({
    list: z.string(),
    value: z.string(),
    // Not an enum, because generated clients would refuse a status that is added later.
    status: z.string().meta({
      description: `One of ${validateStatuses.join(', ')}. Later versions may add others: treat them as not active`,
      example: 'active',
    }),
    label: z.string().nullable().meta({ description: 'In the preferred language; null if unknown or not readable' }),
    replacedBy: z.string().nullable().meta({
      description: 'The value to use instead. If it was replaced several times, this is the last replacement',
    }),
    retiredAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ValidateOutcome' });

export const ValidateResult = z
  .strictObject({
    valid: z.boolean(),
    results: z.array(ValidateOutcome),
  })
  .meta({ id: 'ValidateResult' });
export type ValidateResult = z.infer<typeof ValidateResult>;
