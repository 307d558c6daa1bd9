import { bundleConsole } from './build.ts' with { type: 'macro' };
import type { ConsoleFiles } from './build.ts';

export const consoleFiles: ConsoleFiles = JSON.parse(await bundleConsole());
