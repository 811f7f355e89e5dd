import {
  bytes,
  count,
  countsByName,
  credential,
  directory,
  file,
  hosts,
  identifier,
  listenAddress,
  names,
  networks,
  oneOf,
  port,
  readEnv,
  secret,
  text,
  url,
  urls,
} from '@manara/kit/env'
import { StartError } from '@manara/kit/errors'

const KINDS = {
  SOC_HOST: text('127.0.0.1'),
  SOC_PORT: port(8000),
  SOC_TLS_CERT: file(),
  SOC_TLS_KEY: file(),
  SOC_ANCHOR_SECONDS: count(60, { min: 1, max: 86_400 }),
  SOC_ANCHOR_SYSLOG: listenAddress(),
  SOC_ANCHOR_WEBHOOK: url(['http', 'https']),
  SOC_ANCHOR_TSA: url(['http', 'https']),
  SOC_SIGNER_COMMAND: text(''),
  SOC_SIGNER_PUBLIC_KEY: file(),
  SOC_MODE: oneOf(['real', 'dry_run', 'dummy'], 'real'),
  SOC_DATA: directory('data/soc'),
  SOC_KEY_FILE: file(),
  SOC_ADMIN_PASSWORD: secret({ minLength: 8 }),
  SOC_RATE_GENERAL: count(100, { min: 1 }),
  SOC_RATE_INVESTIGATE: count(10, { min: 1 }),
  SOC_RATE_EXECUTE: count(5, { min: 1 }),
  SOC_HOST_NAMES: hosts(),
  SOC_TRUSTED_PROXIES: networks(),
  SOC_PUBLIC_URL: url(['http', 'https']),
  SOC_OIDC_ISSUER: url(['http', 'https']),
  SOC_OIDC_CLIENT_ID: text(''),
  SOC_OIDC_CLIENT_SECRET: secret({ minLength: 1 }),
  SOC_OIDC_SCOPES: text('openid profile email'),
  SOC_OIDC_NAME: text('your organisation'),
  SOC_OIDC_GROUPS_CLAIM: text('groups'),
  SOC_OIDC_ROLES: text(''),
  SOC_OIDC_DEFAULT_ROLE: text(''),
  SOC_OIDC_SECOND_FACTOR: oneOf(['amr', 'trusted'], 'amr'),
  SOC_RATE_MCP: count(120, { min: 1 }),
  SOC_RATE_CHAT: count(20, { min: 1 }),
  SOC_RATE_ENROL: count(1_200, { min: 1 }),
  SOC_RATE_INGEST: count(6_000_000, { min: 1 }),
  SOC_SYSLOG_UDP: listenAddress(),
  SOC_SYSLOG_TCP: listenAddress(),
  SOC_SYSLOG_TLS: listenAddress(),
  SOC_SYSLOG_TLS_CERT: file(),
  SOC_SYSLOG_TLS_KEY: file(),
  SOC_SYSLOG_TLS_CA: file(),
  SOC_SYSLOG_TLS_CLIENTS: names(),
  SOC_SYSLOG_ALLOW: networks(),
  SOC_SYSLOG_RATE: count(600_000, { min: 1 }),
  SOC_SYSLOG_MAX_BYTES: count(64 * 1024, { min: 480, max: 1024 * 1024 }),
  SOC_SEARCH_SECONDS: count(30, { min: 1, max: 3_600 }),
  SOC_RETENTION_DAYS: count(0, { max: 36_500 }),
  SOC_RETENTION_BYTES: bytes(0),
  SOC_RETENTION_BY_SOURCE: countsByName({ min: 1, max: 36_500 }),
  SOC_RULE_HIT_CAP: count(100_000, { min: 1 }),
  IOC_ALERT_SCORE: count(70, { min: 1, max: 101 }),
  IOC_LOOKBACK_DAYS: count(30, { min: 1, max: 3_650 }),
  EDR_URL: url(['http', 'https']),
  EDR_SECRET: credential({ minLength: 16 }),
  EDR_POLL_S: count(15, { min: 1, max: 3_600 }),
  SOC_SMTP_URL: url(['smtp', 'smtps']),
  SOC_SMTP_PASSWORD: credential(),
  SOC_SMTP_FROM: text('soc@localhost'),
  SOC_WEBHOOK_ALLOW: hosts(),
  SOC_STARTER_RULES: oneOf(['on', 'off'], 'on'),
  SOC_LOG: oneOf(['debug', 'info', 'warn', 'error', 'silent'], 'info'),
  SOC_AGENTS: oneOf(['on', 'off'], 'on'),
  SOC_WARM_UP: oneOf(['on', 'off'], 'on'),
  SOC_LLM_URL: url(['http', 'https']),
  SOC_LLM_KEY: credential(),
  SOC_LLM_MODEL: text(''),
  SOC_CHROMIUM: file(),
  SOC_DEVICE_CERT_DAYS: count(90, { min: 1, max: 3_650 }),
  SOC_MQTT_HOST: text(''),
  SOC_MQTT_PORT: port(8883),
  MQTT_URL: url(['mqtt', 'mqtts']),
  MQTT_CA: file(),
  MQTT_CERT: file(),
  MQTT_KEY: file(),
  MQTT_CRL: file(),
  MQTT_PID: file(),
  DATABASE_URL: secret(),
  DATABASE_OWNER_URL: secret(),
  CLICKHOUSE_URL: urls(['http', 'https']),
  CLICKHOUSE_CLUSTER: identifier(),
}

export type Settings = ReturnType<typeof readSettings>

/** By the names of their variables; what is wrong with one, or with two together, stops the start. */
export function readSettings(env: NodeJS.ProcessEnv) {
  const settings = readEnv(env, KINDS)
  refuseHalves(settings)
  return settings
}

function refuseHalves(settings: Settings) {
  needsBoth(settings, ['SOC_TLS_CERT', 'SOC_TLS_KEY'], 'TLS needs both files')
  needsBoth(settings, ['MQTT_CERT', 'MQTT_KEY'], 'a certificate needs its key')
  if (Boolean(settings.SOC_SIGNER_COMMAND) !== Boolean(settings.SOC_SIGNER_PUBLIC_KEY)) {
    throw new StartError(
      'SOC_SIGNER_COMMAND and SOC_SIGNER_PUBLIC_KEY: both must be set, or neither',
    )
  }
  if (settings.SOC_LLM_URL && !settings.SOC_LLM_MODEL) {
    throw new StartError('SOC_LLM_MODEL: must be set too: the model to ask at SOC_LLM_URL')
  }
  if (settings.CLICKHOUSE_URL.length > 1 && !settings.CLICKHOUSE_CLUSTER) {
    throw new StartError(
      'CLICKHOUSE_CLUSTER: must be set too: the name under which the servers of CLICKHOUSE_URL know each other',
    )
  }
}

function needsBoth(settings: Settings, pair: (keyof Settings)[], why: string) {
  const missing = pair.filter((name) => settings[name] === undefined)
  if (missing.length === 1) throw new StartError(`${missing[0]}: must be set too: ${why}`)
}
