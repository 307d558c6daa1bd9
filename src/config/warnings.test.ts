import { describe, expect, test } from 'bun:test';
import { readConfig } from './config.ts';
import { variables } from './variables.ts';

const warningsOf = (env: Record<string, string>) =>
  readConfig(env).warnings.map(({ variable, fault }) => `${variable} ${fault}`);

describe('a misspelt variable is reported with the correct name', () => {
  test.each([
    ['CORS_ORIGIN', 'CORS_ORIGINS'],
    ['CORS_ORGINS', 'CORS_ORIGINS'],
    ['TOKEN_TTL', 'TOKEN_TTL_SECONDS'],
    ['TOKEN_TTL_SECOND', 'TOKEN_TTL_SECONDS'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DatabaseUrl', 'DATABASE_URL'],
    ['SECRETKEY', 'SECRET_KEY'],
    ['SERCET_KEY', 'SECRET_KEY'],
    ['PUBLIC-URL', 'PUBLIC_URL'],
    ['PUBLIC_URI', 'PUBLIC_URL'],
    ['METRIC_PORT', 'METRICS_PORT'],
    ['ROLE_CLAIM', 'ROLE_CLAIMS'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['TRUSTPROXY', 'TRUST_PROXY'],
    ['KEY_ROTATION', 'KEY_ROTATION_DAYS'],
    ['REQUIRE_BOUND', 'REQUIRE_BOUND_LOGIN'],
    ['LOOKUP_ADMINS_ROLE', 'LOOKUP_ADMIN_ROLES'],
    ['ALLOW_PLAIN_TEXT', 'ALLOW_PLAINTEXT'],
    ['RATE_LIMIT', 'RATE_LIMIT_LOGIN or RATE_LIMIT_API'],
  ])('%s', (name, meant) => {
    expect(warningsOf({ [name]: 'x' })).toEqual([`${name} is not a Frontdesk variable: did you mean ${meant}?`]);
  });

  test('but not if the correct variable is set too, because the misspelt one then belongs to a different program', () => {
    expect(warningsOf({ CORS_ORIGIN: 'x', CORS_ORIGINS: 'https://app.example' })).toEqual([]);
  });

  test('a misspelt variable that begins with OIDC_ is a fault, with the correct name', () => {
    expect(() => readConfig({ OIDC_ISUER: 'https://idp.example' })).toThrow(
      'OIDC_ISUER: is not a Frontdesk variable: did you mean OIDC_ISSUER?',
    );
    expect(() => readConfig({ OIDC_NONSENSE: 'x' })).toThrow(/^OIDC_NONSENSE: is not a Frontdesk variable$/);
  });
});

/** Variables that shells, containers, Kubernetes, build systems and other programs set. */
const usual = `
  BASH BASH_ENV CDPATH COLORTERM COLUMNS DBUS_SESSION_BUS_ADDRESS DISPLAY EDITOR ENV EUID GROUPS HISTFILE HISTSIZE HOME
  HOST_IP HOSTNAME HOSTTYPE IFS INVOCATION_ID JOURNAL_STREAM LANG LANGUAGE LC_ALL LC_CTYPE LESS LINES LISTEN_FDS LISTEN_PID LOGNAME
  LS_COLORS MACHTYPE MAIL MAILTO MANPAGER NOTIFY_SOCKET OLDPWD OSTYPE PAGER PATH PORTAL PPID PS1 PWD SHELL SHLVL
  SSH_AUTH_SOCK SSH_CLIENT SSH_CONNECTION SSH_TTY SUDO_USER SYSTEMD_EXEC_PID TEMP TERM TMP TMPDIR TZ UID USER USERNAME
  VISUAL WATCHDOG_USEC XDG_CONFIG_HOME XDG_DATA_HOME XDG_RUNTIME_DIR XDG_SESSION_ID _ http_proxy https_proxy no_proxy HTTP_PROXY
  HTTPS_PROXY NO_PROXY ALL_PROXY SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE NO_COLOR FORCE_COLOR CLICOLOR
  FRONTDESK_PORT FRONTDESK_PORT_3000_TCP FRONTDESK_PORT_3000_TCP_ADDR FRONTDESK_PORT_3000_TCP_PORT FRONTDESK_SERVICE_HOST
  FRONTDESK_SERVICE_PORT FRONTDESK_SERVICE_PORT_HTTP KUBERNETES_PORT KUBERNETES_PORT_443_TCP KUBERNETES_SERVICE_HOST
  KUBERNETES_SERVICE_PORT KUBERNETES_SERVICE_PORT_HTTPS POSTGRES_PORT POSTGRES_SERVICE_HOST POSTGRES_SERVICE_PORT
  DATABASE_PORT DATABASE_SERVICE_HOST DATABASE_SERVICE_PORT PUBLIC_PORT PUBLIC_SERVICE_HOST METRICS_SERVICE_HOST
  METRICS_SERVICE_PORT TOKEN_SERVICE_HOST TOKEN_PORT LOG_PORT LOG_SERVICE_HOST NODE_NAME NODE_IP POD_NAME POD_NAMESPACE POD_IP
  POSTGRES_USER POSTGRES_PASSWORD POSTGRES_DB PGDATA PGHOST PGPORT PGUSER PGPASSWORD PGDATABASE PGSSLMODE PGPASSFILE
  DATABASE_HOST DATABASE_NAME DATABASE_USER DATABASE_USERNAME DATABASE_PASSWORD DATABASE_SSL DATABASE_TLS DATABASE_SCHEMA
  DATABASE_TYPE DATABASE_PATH DATABASE_DIR DATABASE_FILE DATABASE_URL_TEST DATABASE_DIRECT_URL DATABASE_READ_URL DB_URL DB_HOST
  PUBLIC_URL_X PUBLIC_DIR PUBLIC_PATH PUBLIC_KEY PUBLIC_IP PUBLIC_HOST BASE_URL API_URL APP_URL SECRET SECRET_NAME SECRET_ID
  SECRET_KEY_BASE SECRET_TOKEN SECRETS_DIR APP_SECRET JWT_SECRET AWS_SECRET_ACCESS_KEY AWS_ACCESS_KEY_ID AWS_REGION AWS_PROFILE
  AWS_SESSION_TOKEN AWS_ROLE_ARN AWS_WEB_IDENTITY_TOKEN_FILE GOOGLE_APPLICATION_CREDENTIALS AZURE_CLIENT_ID AZURE_TENANT_ID
  NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED NODE_VERSION NODE_AUTH_TOKEN NODE_DEBUG NODE_PENDING_DEPRECATION NODENV NODENV_ROOT
  NODENV_VERSION NVM_DIR NVM_BIN BUN_INSTALL BUN_VERSION YARN_VERSION npm_config_cache npm_config_registry npm_lifecycle_event
  npm_package_name npm_package_version npm_execpath npm_node_execpath INIT_CWD
  CI BUILD_ID BUILD_NUMBER BUILD_URL JOB_NAME JOB_URL JENKINS_URL JENKINS_HOME WORKSPACE EXECUTOR_NUMBER GIT_BRANCH GIT_COMMIT
  GITHUB_ACTIONS GITHUB_TOKEN GITHUB_SHA GITHUB_REF GITHUB_REPOSITORY GITHUB_RUN_ID GITHUB_WORKSPACE GITHUB_WORKFLOW GITHUB_EVENT_NAME
  RUNNER_OS RUNNER_TEMP RUNNER_TOOL_CACHE RUNNER_DEBUG ACTIONS_RUNTIME_TOKEN ACTIONS_ID_TOKEN_REQUEST_URL GITLAB_CI CI_JOB_ID CI_JOB_TOKEN
  CI_COMMIT_SHA CI_COMMIT_REF_NAME CI_PIPELINE_ID CI_PROJECT_DIR CI_REGISTRY CI_REGISTRY_USER CI_SERVER_URL CIRCLECI CIRCLE_SHA1 TRAVIS
  BUILDKITE BUILDKITE_COMMIT TF_BUILD SYSTEM_TEAMPROJECT DRONE DRONE_COMMIT
  DOCKER_HOST DOCKER_BUILDKIT CONTAINER container DYNO HEROKU_APP_NAME FLY_APP_NAME RENDER RAILWAY_ENVIRONMENT K_SERVICE K_REVISION
  WEB_CONCURRENCY WORKER WORKER_COUNT NUM_WORKERS LOG_FILE LOG_DIR LOG_PATH LOG_LEVEL_ROOT LOGGING_LEVEL DEBUG VERBOSE SENTRY_DSN
  ROLE ROLES ROLE_ARN ROLE_NAME TOKEN TOKENS TOKEN_FILE TOKEN_URL TOKEN_TYPE TOKEN_SECRET KEY_FILE KEY_ID TRUST_STORE TRUST_ANCHOR
  CORS CORS_ENABLED CORS_METHODS CORS_HEADERS RATE RATE_LIMITING LIMIT EMPLOYEE EMPLOYEE_NAME STALE HOST_NAME HOST_PORT PORT_HTTP
  HTTP_PORT HTTPS_PORT OTEL_SERVICE_NAME OTEL_EXPORTER_OTLP_ENDPOINT OTEL_TRACES_SAMPLER OTEL_RESOURCE_ATTRIBUTES NEW_RELIC_KEY
`
  .trim()
  .split(/\s+/);

test('no common environment variable is taken for a misspelt one', () => {
  expect(usual.length).toBeGreaterThan(280);
  expect(warningsOf(Object.fromEntries(usual.map((name) => [name, 'x'])))).toEqual([]);
});

test('no Frontdesk variable is taken for a misspelt one', () => {
  for (const name of Object.keys(variables)) expect(() => readConfig({ [name]: '' })).not.toThrow();
  expect(warningsOf(Object.fromEntries(Object.keys(variables).map((name) => [name, ''])))).toEqual([]);
});

describe('a redirect address', () => {
  const warningsAbout = (uris: string, origins = '', publicUrl = '') =>
    warningsOf({ OIDC_REDIRECT_URIS: uris, CORS_ORIGINS: origins, PUBLIC_URL: publicUrl });

  test('without its final slash is reported', () => {
    expect(warningsAbout('http://localhost:5173', 'http://localhost:5173')).toEqual([
      'OIDC_REDIRECT_URIS http://localhost:5173 has no path: a browser sends http://localhost:5173/, and addresses are compared character by character',
    ]);
    expect(warningsOf({ OIDC_POST_LOGOUT_URIS: 'http://localhost:5173' })).toEqual([
      'OIDC_POST_LOGOUT_URIS http://localhost:5173 has no path: a browser sends http://localhost:5173/, and addresses are compared character by character',
    ]);
  });

  test('whose page may not call us is reported', () => {
    expect(warningsAbout('http://localhost:5173/,http://localhost:5173/done', 'http://localhost:8000')).toEqual([
      'OIDC_REDIRECT_URIS pages from http://localhost:5173 may not call Frontdesk, because CORS_ORIGINS does not name that origin',
    ]);
  });

  test.each([
    ['http://localhost:5173/', 'http://localhost:5173', ''],
    ['http://localhost:3000/somewhere', '', ''],
    ['com.example.app:/signed-in', '', ''],
    ['http://localhost:8080/', '', 'http://localhost:8080/desk'],
  ])('%s with CORS_ORIGINS=%s and PUBLIC_URL=%s is fine', (uris, origins, publicUrl) => {
    expect(warningsAbout(uris, origins, publicUrl)).toEqual([]);
  });
});

test('a time that has no effect because of a shorter one is reported, unless it is a default', () => {
  expect(warningsOf({ TOKEN_TTL_SECONDS: '7200', SESSION_MAX_SECONDS: '5400' })).toEqual([
    'TOKEN_TTL_SECONDS is longer than SESSION_IDLE_SECONDS (3600), so it has no effect',
    'TOKEN_TTL_SECONDS is longer than SESSION_MAX_SECONDS (5400), so it has no effect',
  ]);
  expect(warningsOf({ SESSION_IDLE_SECONDS: '7200', SESSION_MAX_SECONDS: '3600' })).toEqual([
    'SESSION_IDLE_SECONDS is longer than SESSION_MAX_SECONDS (3600), so it has no effect',
  ]);
  expect(warningsOf({ SESSION_MAX_SECONDS: '600' })).toEqual([]);
});
