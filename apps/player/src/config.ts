import { directory, flag, oneOf, port, readEnv, text } from '@manara/kit/env'

export type Config = ReturnType<typeof readConfig>

/** The only reader of the environment. */
export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const settings = readEnv(env, {
    PLAYER_HOST: text('0.0.0.0'),
    PLAYER_PORT: port(8443),
    PLAYER_TLS: flag(true),
    PLAYER_DATA: directory('data/player'),
    PLAYER_CARD: directory('data/card'),
    PLAYER_AUDIO: oneOf(['auto', 'embedded', 'mpv'], 'auto'),
    PLAYER_SINK: text('auto'),
    PLAYER_LOG: oneOf(['debug', 'info', 'warn', 'error', 'silent'], 'info'),
  })
  return {
    host: settings.PLAYER_HOST,
    port: settings.PLAYER_PORT,
    tls: settings.PLAYER_TLS,
    dataDir: settings.PLAYER_DATA,
    cardDir: settings.PLAYER_CARD,
    audio: settings.PLAYER_AUDIO,
    sink: settings.PLAYER_SINK,
    logLevel: settings.PLAYER_LOG,
    prettyLog: process.stderr.isTTY,
  }
}
