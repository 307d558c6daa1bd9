// npm run bench -- NAME: runs one of the measurements below. Without a name, compares Frontdesk with its peers.
const [name = 'peers', ...rest] = process.argv.slice(2);
const measurements = {
  audit: () => import('./audit.ts'),
  changes: () => import('./changes.ts'),
  compare: () => import('./compare.ts'),
  documents: () => import('./documents.ts'),
  guard: () => import('./guard.ts'),
  peers: () => import('./peers.ts'),
  retention: () => import('./retention.ts'),
  scale: () => import('./scale.ts'),
  selections: () => import('./selections.ts'),
  'sign-in': () => import('./sign-in.ts'),
  'sign-ins': () => import('./sign-ins.ts'),
};
const measure = Object.entries(measurements).find(([each]) => each === name)?.[1];
if (measure === undefined) throw new Error(`npm run bench -- ${Object.keys(measurements).join(' | ')}`);
// Each measurement reads its own arguments.
process.argv.splice(2, process.argv.length, ...rest);
await measure();
