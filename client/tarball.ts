import { packClient } from './pack.ts' with { type: 'macro' };

/** In base64; empty where it cannot be made. */
export const clientTarball: string = await packClient();
