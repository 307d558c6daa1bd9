// Whether the development provider can start here. Its own module is loaded only when it does.

import { isExecutable } from '../base/executable.ts';
import { ConfigError } from '../config/config.ts';

export function expectDevelopmentProvider(): void {
  if (isExecutable) return;
  try {
    import.meta.resolve('oidc-provider');
  } catch {
    const fault = 'is required: the development provider (package oidc-provider) is not installed';
    throw new ConfigError([{ variable: 'OIDC_ISSUER', fault }]);
  }
}
