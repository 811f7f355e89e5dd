import { unknownSettings } from '@manara/kit/env'
import { StartError } from '@manara/kit/errors'
import { readSettingFile } from '@manara/kit/setting-file'
import { readOidc } from './config-oidc.ts'
import { readConninfo } from './db/conninfo.ts'
import { readSettings, type Settings } from './settings.ts'

export type Config = ReturnType<typeof readConfig>

/** Of our own command lines, which may stand in the same environment. */
const OF_OTHERS = ['SOC_URL', 'SOC_API_KEY']

/** The only reader of the environment. */
export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const settings = readSettings(env)
  const { SOC_TLS_CERT: certFile, SOC_TLS_KEY: keyFile } = settings
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
