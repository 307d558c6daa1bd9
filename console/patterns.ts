// What a name must look like, for the forms. The service's own are in src/lookup/lookup.schema.ts, and a test compares them.

export const listNamePattern = '[a-z][a-z0-9]*(-[a-z0-9]+)*';
export const valuePattern = '[A-Z][A-Z0-9]*(_[A-Z0-9]+)*';
