import path from 'node:path'
import {
  bytes,
  count,
  directory,
  file,
  flag,
  networks,
  oneOf,
  origins,
  port,
  readEnv,
  text,
  unknownSettings,
  url,
  wordOrPrefixed,
} from '@manara/kit/env'

import { StartError } from '@manara/kit/errors'
import { type ButtonMap, readButtonMap } from './features/buttons/domain/button-map.ts'

export type Config = ReturnType<typeof readConfig>

/** The only reader of the environment. */
export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const settings = readEnv(env, {
    PLAYER_HOST: text('0.0.0.0'),
    PLAYER_PORT: port(8443),
    PLAYER_TLS: flag(true),
    PLAYER_ORIGINS: origins(),
    PLAYER_TRUSTED_PROXIES: networks(),
    PLAYER_DATA: directory('data/player'),
    PLAYER_CARD: directory('data/card'),
    PLAYER_AUDIO: oneOf(['auto', 'embedded', 'mpv'], 'auto'),
    PLAYER_SINK: wordOrPrefixed(
      ['auto', 'aplay', 'pw-cat', 'null'],
      ['alsa:', 'pipewire:', 'capture:'],
      'auto',
    ),
    PLAYER_PAIRING: oneOf(['off', 'screen'], 'off'),
    PLAYER_NFC: wordOrPrefixed(['auto', 'pcsc', 'sim', 'off'], ['pn532:'], 'auto'),
    PLAYER_SCREEN: wordOrPrefixed(['auto', 'off'], ['/dev/fb'], 'auto'),
    PLAYER_SYSFS: directory('/'),
    PLAYER_CLOCK: oneOf(['auto', 'host'], 'auto'),
    PLAYER_MDNS: flag(true),
    PLAYER_BUTTONS: text(''),
    PLAYER_MQTT_URL: url(['mqtt', 'mqtts']),
    PLAYER_MQTT_TOPIC: text('manara'),
    PLAYER_MQTT_DISCOVERY: text('homeassistant'),
    PLAYER_UPLOAD_LIMIT: bytes(2 ** 30),
    PLAYER_UPLOAD_TOTAL: bytes(16 * 2 ** 30),
    PLAYER_UPDATES: file(),
    PLAYER_OTA_KEYS: file(),
    PLAYER_OTA_ALLOW: text(''),
    PLAYER_OTA_CA: file(),
    PLAYER_OTA_CONFIRM: count(30, { max: 600 }),
    PLAYER_SLOT: oneOf(['none', 'factory', 'a', 'b'], 'none'),
    PLAYER_LOG: oneOf(['debug', 'info', 'warn', 'error', 'silent'], 'info'),
  })
  const updatesDir = settings.PLAYER_UPDATES ?? path.join(settings.PLAYER_DATA, 'updates')
  return {
    /** For whoever starts it, since the service starts all the same. */
    warnings: unknownSettings(env, 'PLAYER_', [...Object.keys(settings)]),
    host: settings.PLAYER_HOST,
    port: settings.PLAYER_PORT,
    tls: settings.PLAYER_TLS,
    /** Names besides its own that the box is asked by, and sites whose pages may call it. */
    origins: settings.PLAYER_ORIGINS,
    /** Whose `X-Forwarded-For` is believed. */
    trustedProxies: settings.PLAYER_TRUSTED_PROXIES,
    dataDir: settings.PLAYER_DATA,
    cardDir: settings.PLAYER_CARD,
    audio: settings.PLAYER_AUDIO,
    sink: settings.PLAYER_SINK,
    nfc: settings.PLAYER_NFC,
    screen: settings.PLAYER_SCREEN,
    /** A physical act shows a code on the screen that holds the token. */
    pairOnScreen: settings.PLAYER_PAIRING === 'screen',
    /** Root of the tree that battery, RTC and temperature are read from. */
    sysfs: settings.PLAYER_SYSFS,
    /** `host`: whoever starts the service vouches for the clock of the machine. */
    trustHostClock: settings.PLAYER_CLOCK === 'host',
    /** Whether the box announces its name in the local network. */
    mdns: settings.PLAYER_MDNS,
    /** Keys and knobs by device; undefined where none was named. */
    buttons: buttonsOf(settings.PLAYER_BUTTONS),
    /** The broker of the house; undefined where none was named. */
    mqtt:
      settings.PLAYER_MQTT_URL === undefined
        ? undefined
        : {
            url: settings.PLAYER_MQTT_URL,
            topic: topicOf('PLAYER_MQTT_TOPIC', settings.PLAYER_MQTT_TOPIC),
            discovery: topicOf('PLAYER_MQTT_DISCOVERY', settings.PLAYER_MQTT_DISCOVERY),
          },
    /** Bytes of the largest file that is taken over the network; 0 takes none. */
    uploadLimit: settings.PLAYER_UPLOAD_LIMIT,
    /** Bytes that all uploads under way may take together. */
    uploadTotal: settings.PLAYER_UPLOAD_TOTAL,
    /** Slots, and the record of which one runs. */
    updatesDir,
    /** Public keys that images may be signed with. */
    updateKeys: settings.PLAYER_OTA_KEYS ?? path.join(updatesDir, 'trusted-keys.pem'),
    /** Update servers in the owner's own network, by name or address. */
    updateServers: settings.PLAYER_OTA_ALLOW.toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean),
    updateServerCa: settings.PLAYER_OTA_CA,
    /** Seconds that a new version has to stay up before it is kept. */
    confirmAfterS: settings.PLAYER_OTA_CONFIRM,
    /** Set by the launcher: which version this is. */
    slot: settings.PLAYER_SLOT === 'none' ? undefined : settings.PLAYER_SLOT,
    /** Where the programs of the system are looked for. */
    searchPath: `${env.PATH ?? ''}:${SYSTEM_PATH}`,
    logLevel: settings.PLAYER_LOG,
    prettyLog: process.stderr.isTTY,
  }
}

// What sets clocks and networks is not on the path of every user.
const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

function buttonsOf(text: string): ButtonMap | undefined {
  try {
    return text === '' ? undefined : readButtonMap(text)
  } catch (error) {
    throw new StartError(`PLAYER_BUTTONS: ${(error as Error).message}`)
  }
}

function topicOf(name: string, text: string): string {
  if (/^(?!\/)[^+#\s]+(?<!\/)$/.test(text)) return text
  throw new StartError(`${name}: must be a topic without +, #, spaces and slashes at its ends`)
}

/** What the launcher hands on to the version it starts. */
export const environmentOf = (more: Record<string, string>): NodeJS.ProcessEnv => ({
  ...process.env,
  ...more,
})
