// The OpenAPI document of a running service, and whether it documents an answer.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Schema } from './schema-values.ts';

export interface Parameter {
  name: string;
  in: 'query' | 'path' | 'header';
  required?: boolean;
  schema: Schema;
}
interface Operation {
  operationId: string;
  tags: string[];
  security: unknown[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}
interface OpenApiDocument {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}
export interface NamedOperation extends Operation {
  /** Method and path, such as `GET /auth/me`. */
  name: string;
  method: string;
  path: string;
}

export type Contract = Awaited<ReturnType<typeof loadContract>>;

export async function loadContract(url: string) {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]): NamedOperation => ({
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        ...operation,
      }),
    ),
  );
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'contract');
  const validators = new Map<string, ValidateFunction>();

  function validatorFor(...parts: string[]): ValidateFunction {
    const pointer = parts
      .map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'))
      .map(encodeURIComponent)
      .join('/');
    const known = validators.get(pointer) ?? ajv.compile({ $ref: `contract#/${pointer}` });
    validators.set(pointer, known);
    return known;
  }

  /** How the answer to this operation differs from the document; undefined if it does not. */
  function findFault(name: string, { status, headers }: Response, body: string): string | undefined {
    const operation = operations.find((each) => each.name === name);
    const documented = operation?.responses[String(status)];
    if (operation === undefined || documented === undefined) return `${status} is not documented`;
    const type = headers.get('content-type')?.split(';')[0] ?? '';
    if (documented.content === undefined) return body === '' ? undefined : `${status} has a body`;
    if (!(type in documented.content)) return `${status} is of type "${type}"`;
    const method = operation.method.toLowerCase();
    const validate = validatorFor('paths', operation.path, method, 'responses', `${status}`, 'content', type, 'schema');
    if (validate(type.endsWith('json') ? JSON.parse(body) : body)) return undefined;
    return `${status}: ${JSON.stringify(validate.errors?.slice(0, 3))}`;
  }

  return { document, operations, findFault };
}
