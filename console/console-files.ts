import type { ConsoleFiles } from './build.ts';
import { bundleConsole } from './bundle.ts' with { type: 'macro' };

export const consoleFiles: ConsoleFiles = JSON.parse(await bundleConsole());
