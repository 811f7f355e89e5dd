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
  unknownSettings,
  url,
  urls,
} from '@manara/kit/env'
import { StartError } from '@manara/kit/errors'
import { readSettingFile } from '@manara/kit/setting-file'
import { readOidc } from './config-oidc.ts'
import { readConninfo } from './db/conninfo.ts'

export type Config = ReturnType<typeof readConfig>

/** Of our own command lines, which may stand in the same environment. */
const OF_OTHERS = ['SOC_URL', 'SOC_API_KEY']

/** The only reader of the environment. */
export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const settings = readEnv(env, {
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
  })
  const { SOC_TLS_CERT: certFile, SOC_TLS_KEY: keyFile } = settings
  if ((certFile === undefined) !== (keyFile === undefined)) {
    throw new StartError(
      `${certFile ? 'SOC_TLS_KEY' : 'SOC_TLS_CERT'}: must be set too: TLS needs both files`,
    )
  }
  if ((settings.MQTT_CERT === undefined) !== (settings.MQTT_KEY === undefined)) {
    throw new StartError(
      `${settings.MQTT_CERT ? 'MQTT_KEY' : 'MQTT_CERT'}: must be set too: a certificate needs its key`,
    )
  }
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
  return {
    /** For whoever starts it, since the service starts all the same. */
    warnings: unknownSettings(env, 'SOC_', [...Object.keys(settings), ...OF_OTHERS]),
    host: settings.SOC_HOST,
    port: settings.SOC_PORT,
    hostNames: settings.SOC_HOST_NAMES,
    trustedProxies: settings.SOC_TRUSTED_PROXIES,
    publicUrl: settings.SOC_PUBLIC_URL,
    oidc: readOidc(settings),
    tls: certFile && keyFile ? { certFile, keyFile } : undefined,
    mode: settings.SOC_MODE,
    dataDir: settings.SOC_DATA,
    keyFile: settings.SOC_KEY_FILE,
    proofs: {
      intervalMs: settings.SOC_ANCHOR_SECONDS * 1_000,
      syslog: settings.SOC_ANCHOR_SYSLOG,
      webhook: settings.SOC_ANCHOR_WEBHOOK,
      timeStamps: settings.SOC_ANCHOR_TSA,
      signerCommand: settings.SOC_SIGNER_COMMAND,
      signerPublicKey: settings.SOC_SIGNER_PUBLIC_KEY,
    },
    adminPassword: settings.SOC_ADMIN_PASSWORD,
    rates: {
      general: settings.SOC_RATE_GENERAL,
      investigate: settings.SOC_RATE_INVESTIGATE,
      execute: settings.SOC_RATE_EXECUTE,
      mcp: settings.SOC_RATE_MCP,
      chat: settings.SOC_RATE_CHAT,
      enrol: settings.SOC_RATE_ENROL,
    },
    ingest: {
      eventsPerMinute: settings.SOC_RATE_INGEST,
      syslogUdp: settings.SOC_SYSLOG_UDP,
      syslogTcp: settings.SOC_SYSLOG_TCP,
      syslogTls: readSyslogTls(settings),
      syslogAllow: settings.SOC_SYSLOG_ALLOW,
      syslogPerMinute: settings.SOC_SYSLOG_RATE,
      mostSyslogBytes: settings.SOC_SYSLOG_MAX_BYTES,
    },
    databaseUrl: checkConninfo('DATABASE_URL', settings.DATABASE_URL),
    databaseOwnerUrl: checkConninfo('DATABASE_OWNER_URL', settings.DATABASE_OWNER_URL),
    clickhouse: { urls: settings.CLICKHOUSE_URL, cluster: settings.CLICKHOUSE_CLUSTER },
    search: {
      timeLimitMs: settings.SOC_SEARCH_SECONDS * 1_000,
      retention: {
        // 0 is no limit.
        days: settings.SOC_RETENTION_DAYS || undefined,
        bytes: settings.SOC_RETENTION_BYTES || undefined,
        daysBySource: settings.SOC_RETENTION_BY_SOURCE,
      },
    },
    languageModel: {
      url: settings.SOC_LLM_URL,
      key: settings.SOC_LLM_KEY,
      model: settings.SOC_LLM_MODEL,
    },
    chromium: settings.SOC_CHROMIUM,
    cps: {
      certificateDays: settings.SOC_DEVICE_CERT_DAYS,
      /** The embedded broker. */
      listen: {
        host: settings.SOC_MQTT_HOST || settings.SOC_HOST,
        port: settings.SOC_MQTT_PORT,
        names: settings.SOC_HOST_NAMES,
      },
      /** A broker beside us, if there is one. */
      broker: settings.MQTT_URL
        ? {
            url: settings.MQTT_URL,
            caFile: settings.MQTT_CA,
            certFile: settings.MQTT_CERT,
            keyFile: settings.MQTT_KEY,
            crlFile: settings.MQTT_CRL,
            pidFile: settings.MQTT_PID,
          }
        : undefined,
    },
    ruleHitCap: settings.SOC_RULE_HIT_CAP,
    iocs: {
      alertScore: settings.IOC_ALERT_SCORE,
      lookbackDays: settings.IOC_LOOKBACK_DAYS,
    },
    edr: {
      url: settings.EDR_URL,
      secret: settings.EDR_SECRET,
      pollMs: settings.EDR_POLL_S * 1_000,
    },
    response: {
      smtpUrl: settings.SOC_SMTP_URL,
      smtpPassword: settings.SOC_SMTP_PASSWORD,
      smtpFrom: settings.SOC_SMTP_FROM,
      webhookAllow: settings.SOC_WEBHOOK_ALLOW,
    },
    hasAgents: settings.SOC_AGENTS === 'on',
    warmsUp: settings.SOC_WARM_UP === 'on',
    hasStarterRules: settings.SOC_STARTER_RULES === 'on',
    logLevel: settings.SOC_LOG,
    prettyLog: process.stderr.isTTY,
  }
}

type Settings = {
  SOC_SYSLOG_TLS?: { host: string | undefined; port: number } | undefined
  SOC_SYSLOG_TLS_CERT?: string | undefined
  SOC_SYSLOG_TLS_KEY?: string | undefined
  SOC_SYSLOG_TLS_CA?: string | undefined
  SOC_SYSLOG_TLS_CLIENTS: string[]
}

/** In any form that PostgreSQL's own tools take; what was written may hold a password. */
function checkConninfo(setting: string, text: string | undefined) {
  try {
    if (text !== undefined) readConninfo(text)
    return text
  } catch (error) {
    throw new StartError(`${setting}: ${error instanceof Error ? error.message : error}`)
  }
}

const SYSLOG_FILES = ['SOC_SYSLOG_TLS_CERT', 'SOC_SYSLOG_TLS_KEY', 'SOC_SYSLOG_TLS_CA'] as const

/** A listener that asks for certificates needs all three files: there is no way in without one. */
function readSyslogTls(settings: Settings) {
  const address = settings.SOC_SYSLOG_TLS
  if (!address) return undefined
  const [cert = '', key = '', ca = ''] = SYSLOG_FILES.map((name) => {
    const file = settings[name]
    if (!file) throw new StartError(`${name}: must be set too: SOC_SYSLOG_TLS needs it`)
    return readSettingFile(name, file)
  })
  return { address, cert, key, ca, clients: settings.SOC_SYSLOG_TLS_CLIENTS }
}
