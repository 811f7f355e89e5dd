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
    PLAYER_SYSFS: directory('/'),
    PLAYER_CLOCK: oneOf(['auto', 'host'], 'auto'),
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
    /** Root of the tree that battery, RTC and temperature are read from. */
    sysfs: settings.PLAYER_SYSFS,
    /** `host`: whoever starts the service vouches for the clock of the machine. */
    trustHostClock: settings.PLAYER_CLOCK === 'host',
    /** Where the programs of the system are looked for. */
    searchPath: `${env.PATH ?? ''}:${SYSTEM_PATH}`,
    logLevel: settings.PLAYER_LOG,
    prettyLog: process.stderr.isTTY,
  }
}

// What sets clocks and networks is not on the path of every user.
const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
