import { packClient } from './pack.ts' with { type: 'macro' };

/** The package in base64; empty if it cannot be built. */
export const clientTarball: string = await packClient();
