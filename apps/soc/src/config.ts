import { count, directory, file, oneOf, port, readEnv, secret, text, url } from '@manara/kit/env'
import { StartError } from '@manara/kit/errors'

export type Config = ReturnType<typeof readConfig>

/** The only reader of the environment. */
export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const settings = readEnv(env, {
    SOC_HOST: text('127.0.0.1'),
    SOC_PORT: port(8000),
    SOC_TLS_CERT: file(),
    SOC_TLS_KEY: file(),
    SOC_MODE: oneOf(['real', 'dry_run', 'dummy'], 'real'),
    SOC_DATA: directory('data/soc'),
    SOC_ADMIN_PASSWORD: secret({ minLength: 8 }),
    SOC_RATE_GENERAL: count(100, { min: 1 }),
    SOC_RATE_INVESTIGATE: count(10, { min: 1 }),
    SOC_RATE_EXECUTE: count(5, { min: 1 }),
    SOC_LOG: oneOf(['debug', 'info', 'warn', 'error', 'silent'], 'info'),
    DATABASE_URL: url(['postgres', 'postgresql']),
  })
  const { SOC_TLS_CERT: certFile, SOC_TLS_KEY: keyFile } = settings
  if ((certFile === undefined) !== (keyFile === undefined)) {
    throw new StartError(
      `${certFile ? 'SOC_TLS_KEY' : 'SOC_TLS_CERT'}: must be set too: TLS needs both files`,
    )
  }
  return {
    host: settings.SOC_HOST,
    port: settings.SOC_PORT,
    tls: certFile && keyFile ? { certFile, keyFile } : undefined,
    mode: settings.SOC_MODE,
    dataDir: settings.SOC_DATA,
    adminPassword: settings.SOC_ADMIN_PASSWORD,
    rates: {
      general: settings.SOC_RATE_GENERAL,
      investigate: settings.SOC_RATE_INVESTIGATE,
      execute: settings.SOC_RATE_EXECUTE,
    },
    databaseUrl: settings.DATABASE_URL,
    logLevel: settings.SOC_LOG,
    prettyLog: process.stderr.isTTY,
  }
}
