// Zod's schemas as JSON Schema, in the form that generators of clients take best.
import { z } from 'zod';

type JsonSchema = z.core.JSONSchema.BaseSchema;
export type Describe = (schema: z.ZodType) => JsonSchema;

/** A schema with an id is described once, among `schemas`, and referred to from everywhere else. */
export function createDescriber(): { describe: Describe; schemas: Record<string, JsonSchema> } {
  const schemas: Record<string, JsonSchema> = {};
  return {
    schemas,
    describe(schema) {
      // What is sent: a field with a default may be left out, and an object that is not strict may have others.
      const { $schema: _, $defs, ...described } = z.toJSONSchema(schema, { io: 'input', override: simplify });
      Object.assign(schemas, $defs);
      return described;
    },
  };
}

const largest = Number.MAX_SAFE_INTEGER;

function simplify({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }): void {
  const { type } = zodSchema._zod.def;
  if (type === 'nullable') joinNull(jsonSchema);
  // The format says it too, and not every language's regular expressions mean the same.
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (type === 'record') delete jsonSchema.propertyNames;
  // Zod gives every integer JavaScript's bounds: kept only where they are declared.
  const declared = z.globalRegistry.get(zodSchema);
  if (type === 'number' && jsonSchema.minimum === -largest && declared?.minimum === undefined)
    delete jsonSchema.minimum;
  if (type === 'number' && jsonSchema.maximum === largest && declared?.maximum === undefined) delete jsonSchema.maximum;
}

/** `type: [string, null]` in place of a choice between the two. */
function joinNull(schema: JsonSchema): void {
  const [value] = schema.anyOf ?? [];
  if (typeof value !== 'object' || value.type === undefined) return;
  delete schema.anyOf;
  Object.assign(schema, { ...value, ...schema, type: [value.type, 'null'] });
}
