import { bundleConsole } from './bundle.ts' with { type: 'macro' };

export const consoleScript: string = await bundleConsole();
