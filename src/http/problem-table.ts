// All problems: every refusal of the service has one of these codes.

interface ProblemText {
  status: number;
  title: string;
  /** What happened, as the client reads it in `detail`. */
  detail: string;
  /** What to do about it, for the page that `type` links to. */
  advice: string;
}

export const problemTable = {
  'missing-code': {
    status: 400,
    title: 'Authorization code missing',
    detail: 'The query parameter "code" is required.',
    advice: 'Send the authorization code the identity provider gave you as ?code=…, or start a sign-in at /auth/login.',
  },
  'invalid-code': {
    status: 400,
    title: 'Authorization code malformed',
    detail: 'The query parameter "code" must be 1 to 8192 visible ASCII characters.',
    advice: 'Pass the code on exactly as the identity provider sent it, percent-encoded once.',
  },
  'invalid-callback': {
    status: 400,
    title: 'Callback malformed',
    detail: 'Each query parameter may be given only once, and "code" must not be given together with "error".',
    advice: "Forward the provider's parameters unchanged, and repeat none of them.",
  },
  'invalid-redirect': {
    status: 400,
    title: 'Redirect address not allowed',
    detail: 'The "redirect_uri" is not one of the addresses this service is configured with.',
    advice:
      'Use one of the addresses in OIDC_REDIRECT_URIS, character for character, or ask the operator to add yours.',
  },
  'login-denied': {
    status: 403,
    title: 'Sign-in denied',
    detail: 'The sign-in was denied at the identity provider.',
    advice:
      'The person cancelled, or the provider does not let them use this application. Try again, or ask the operator of the provider.',
  },
  'login-failed': {
    status: 400,
    title: 'Sign-in failed',
    detail: 'The identity provider did not complete the sign-in.',
    advice:
      'Start the sign-in again. If it keeps failing, give the request ID to the operator, who can find the reason in the log.',
  },
  'login-session-lost': {
    status: 400,
    title: 'Sign-in not known here',
    detail: 'This sign-in was not started in this browser, was finished already, or took longer than ten minutes.',
    advice: 'Start again at /auth/login, in the same browser, with cookies allowed.',
  },
  'login-mismatch': {
    status: 400,
    title: 'Sign-in does not match',
    detail: "The identity provider's answer does not belong to this sign-in.",
    advice: 'Start the sign-in again and do not reuse links from an earlier one.',
  },
  'code-rejected': {
    status: 400,
    title: 'Authorization code not accepted',
    detail: 'The authorization code is invalid, has expired, or was used before.',
    advice:
      'A code works only once, and only for a short time. Start the sign-in again to get a new one. If every code is refused, the redirect address or code_verifier sent with it differs from the one used at the provider.',
  },
  'trial-over': {
    status: 404,
    title: 'Trial sign-in expired',
    detail: 'This trial sign-in was used before, has expired, or was not started in this browser.',
    advice:
      'The address of a trial works only once, within ten minutes. The operator makes a new one with frontdesk check --sign-in.',
  },
  'navigation-required': {
    status: 403,
    title: 'Must be opened as a page',
    detail: 'The browser requested this address as part of a page instead of opening it.',
    advice:
      'Navigate the browser to it with a link or location.assign. Do not load it in a frame, as an image or with fetch. A service worker must not handle it. Only /auth/login/callback may also be fetched, by pages from PUBLIC_URL and from the origins in CORS_ORIGINS.',
  },
  'invalid-logout-token': {
    status: 400,
    title: 'Logout token not accepted',
    detail: 'The logout token is missing, is malformed, is not from the identity provider, or was used before.',
    advice: 'Only the identity provider calls this address (OpenID Connect Back-Channel Logout).',
  },
  'account-not-permitted': {
    status: 403,
    title: 'Account not permitted',
    detail: 'The identity provider knows this person, but the account cannot be used here.',
    advice:
      'The provider sent no usable employee ID, the roles cannot be determined, or the employee ID belongs to another account. With the request ID, the operator can find the reason in the log.',
  },
  'stronger-sign-in-failed': {
    status: 403,
    title: 'Sign-in not strong enough',
    detail: 'The identity provider did not authenticate the person as strongly or as recently as requested.',
    advice:
      'Sign in again and use the second factor that the provider asks for. If it asks for none, the operator can find the reason in the log with the request ID. docs/identity-providers.md says what to set up.',
  },
  'idp-unavailable': {
    status: 503,
    title: 'Identity provider unavailable',
    detail: 'The identity provider cannot be reached at the moment.',
    advice:
      'Try again after the time in Retry-After. People who are signed in can continue to work until their access token expires.',
  },
  'idp-timeout': {
    status: 504,
    title: 'Identity provider too slow',
    detail: 'The identity provider did not answer in time.',
    advice: 'Start the sign-in again. If this was a renewal, the session is unchanged, and you can try again.',
  },
  'idp-bad-response': {
    status: 502,
    title: 'Invalid answer from the identity provider',
    detail: 'The identity provider gave an answer that cannot be used.',
    advice:
      'Start the sign-in again. If it keeps failing, give the request ID to the operator, who can find the reason in the log.',
  },
  'idp-configuration': {
    status: 502,
    title: 'Not accepted by the identity provider',
    detail: 'The identity provider does not accept this service as its client.',
    advice:
      'For the operator: check OIDC_CLIENT_ID, OIDC_CLIENT_AUTH and the secret or key. The log contains the reason.',
  },
  'idp-invalid-token': {
    status: 502,
    title: 'Identity could not be verified',
    detail: 'The identity provider sent an identity that does not pass the checks.',
    advice:
      'Start the sign-in again. If it keeps failing, give the request ID to the operator, who can find the reason in the log.',
  },
  unauthorized: {
    status: 401,
    title: 'Sign-in required',
    detail: 'This resource needs an access token, in the header "Authorization: Bearer …".',
    advice: 'Get an access token at /auth/login and send it in the Authorization header, never in the address.',
  },
  'token-expired': {
    status: 401,
    title: 'Access token expired',
    detail: 'The access token has expired.',
    advice: 'Renew the session at /auth/renew, or sign in again, to get a new access token.',
  },
  'invalid-token': {
    status: 401,
    title: 'Access token not valid',
    detail: 'The access token is not valid here, or its session has ended.',
    advice: 'Sign in again to get a new access token. Send it whole and unchanged.',
  },
  'session-ended': {
    status: 401,
    title: 'Session expired',
    detail: 'Your session has expired or was ended. Sign in again.',
    advice:
      'Sign in again at /auth/login. A session ends when the person signs out, after SESSION_IDLE_SECONDS without a renewal, after SESSION_MAX_SECONDS in total, or when the identity provider no longer confirms it. The audit or the log tells the operator which of these it was.',
  },
  'origin-refused': {
    status: 403,
    title: 'Origin not allowed',
    detail: 'A session is renewed only for pages from this service or from the origins it is configured with.',
    advice:
      'Call this address with credentials, from a page at PUBLIC_URL or at an origin in CORS_ORIGINS on the same site. A program has to send the header Origin.',
  },
  'stronger-sign-in-needed': {
    status: 401,
    title: 'Stronger sign-in needed',
    detail: 'This change needs a stronger or more recent sign-in than the one this access token comes from.',
    advice:
      'Sign in again at /auth/login with the acr_values and max_age from the WWW-Authenticate header (RFC 9470), and repeat the request with the new access token.',
  },
  forbidden: {
    status: 403,
    title: 'No permission',
    detail: "You don't have permission to do this.",
    advice:
      'GET /auth/me shows your roles, which come from the identity provider. Ask its administrator for the role you need, then renew the session or sign in again.',
  },
  'not-a-person': {
    status: 403,
    title: 'Only for people',
    detail: 'Only a signed-in person may do this, not a program.',
    advice:
      "A program's access token gives access to the lists, and to what its roles permit. A program has no personal details and no session. The token stops working when it expires or when the caller is removed.",
  },
  'unsupported-grant': {
    status: 400,
    title: 'Grant not supported',
    detail: 'The grant_type is not supported here.',
    advice:
      'Send grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer with a signed assertion (RFC 7523). People sign in at /auth/login.',
  },
  'assertion-rejected': {
    status: 400,
    title: 'Assertion not accepted',
    detail: 'The assertion is not valid, has expired, was used before, or is not from a registered caller.',
    advice:
      "Its issuer and subject must be registered (frontdesk callers list), its audience must be PUBLIC_URL unless a different one was registered, and it may be valid for at most 10 minutes (24 hours if an issuer signed it). An assertion that the program signs itself must contain the program's name as iss and sub, and works only once. With the request ID, the operator can find the reason in the log.",
  },
  'issuer-unavailable': {
    status: 503,
    title: 'Issuer unavailable',
    detail: 'The issuer of the assertion cannot be reached at the moment, so its keys are not known.',
    advice: 'Try again after the time in Retry-After.',
  },
  'issuer-timeout': {
    status: 504,
    title: 'Issuer too slow',
    detail: 'The issuer of the assertion did not answer in time, so its keys are not known.',
    advice: 'Try again.',
  },
  'issuer-bad-response': {
    status: 502,
    title: 'Invalid answer from the issuer',
    detail: 'The issuer of the assertion gave an answer that cannot be used, so its keys are not known.',
    advice:
      'With the request ID, the operator can find the reason in the log. If discovery at the issuer needs a login, register the caller with --jwks.',
  },
  'invalid-request': {
    status: 400,
    title: 'Request malformed',
    detail: 'The request cannot be understood as sent.',
    advice:
      'Compare the request with the API docs at /docs. Send the access token once, and only in the Authorization header.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    detail: 'There is nothing at this address.',
    advice: 'The API docs at /docs list every address.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    detail: 'This address does not support this method.',
    advice: 'The Allow header lists the methods it supports.',
  },
  'misdirected-request': {
    status: 421,
    title: 'Wrong host name',
    detail: 'With the development provider, the "Host" of a request must be a name of this machine, such as localhost.',
    advice:
      'Open http://localhost with the port of the service. Other names need an identity provider of your own (OIDC_ISSUER).',
  },
  'already-exists': {
    status: 409,
    title: 'Already exists',
    detail: 'A list or value with this name already exists.',
    advice: 'A value is never used twice in a list: restore the retired item, or choose another value.',
  },
  'version-required': {
    status: 428,
    title: 'Version missing',
    detail: 'A change needs the header If-Match with the list version that the change is based on.',
    advice: 'GET the list first and send its ETag as If-Match.',
  },
  'version-conflict': {
    status: 412,
    title: 'The list has changed',
    detail: 'The list has changed since the version that this change is based on.',
    advice:
      'The answer contains the current version, and what has changed since yours. Check the changes, and make your change again.',
  },
  'body-too-large': {
    status: 413,
    title: 'Body too large',
    detail: 'The body of the request is larger than 256 KiB, or a document with lists is larger than 4 MiB.',
    advice: 'Send less at once. Split a document with lists into several, and apply them one by one.',
  },
  'unsupported-type': {
    status: 415,
    title: 'Content type not supported',
    detail: 'The content type of the body is not supported here.',
    advice:
      'Send application/json; a document may also be application/yaml or text/csv. /auth/token and /auth/introspect take a form (application/x-www-form-urlencoded).',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    detail: 'Too many requests in a short time, or too many change streams open at once.',
    advice:
      'Wait for the time in Retry-After. RateLimit-Policy says how much is allowed. A person may have ten change streams (/lookups/changes) open: close one, or share one between tabs.',
  },
  'storage-unavailable': {
    status: 503,
    title: 'Storage unavailable',
    detail: 'The database cannot be reached at the moment.',
    advice:
      'Try again after the time in Retry-After. For a sign-in, send the same authorization code again. It still works unless the database failed in the middle of the sign-in.',
  },
  starting: {
    status: 503,
    title: 'Starting',
    detail: 'The service is starting. It is updating its database, or waiting for another process to do so.',
    advice:
      'Try again after the time in Retry-After. The operator can follow the progress in the log. /health/ready answers 200 once the service is ready.',
  },
  'documents-busy': {
    status: 503,
    title: 'Too many documents at once',
    detail: 'Too many documents are being read at the moment.',
    advice:
      'Try again after the time in Retry-After. For each person, one document is read at a time, and three may wait.',
  },
  'document-too-slow': {
    status: 503,
    title: 'Document not read in time',
    detail: 'Reading the document took too long. Nothing was changed.',
    advice: 'Try again after the time in Retry-After. If that does not help, split the document into smaller ones.',
  },
  'internal-error': {
    status: 500,
    title: 'Internal error',
    detail: 'Something went wrong on our side.',
    advice: 'Give the request ID to the operator, who can find the cause in the log.',
  },
} as const satisfies Record<string, ProblemText>;

export type ProblemCode = keyof typeof problemTable;
