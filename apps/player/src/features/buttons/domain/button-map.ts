/** As the kernel gives it (linux/input.h). */
type InputEvent = { type: number; code: number; value: number }

const BUTTON_ACTIONS = [
  'play_pause',
  'pause',
  'resume',
  'stop',
  'next',
  'prev',
  'volume_up',
  'volume_down',
  'stop_adhan',
  'sleep',
  'pair',
] as const
export type ButtonAction = (typeof BUTTON_ACTIONS)[number]

/** Key codes of linux/input-event-codes.h to what they do, for each device. */
export type ButtonMap = Map<string, Map<number, ButtonAction>>

// What remote controls, keyboards and gpio-keys overlays send for these.
const USUAL: [code: number, action: ButtonAction][] = [
  [164, 'play_pause'], // KEY_PLAYPAUSE
  [207, 'play_pause'], // KEY_PLAY
  [28, 'play_pause'], // KEY_ENTER
  [119, 'pause'], // KEY_PAUSE
  [128, 'stop'], // KEY_STOP
  [166, 'stop'], // KEY_STOPCD
  [163, 'next'], // KEY_NEXTSONG
  [106, 'next'], // KEY_RIGHT
  [165, 'prev'], // KEY_PREVIOUSSONG
  [105, 'prev'], // KEY_LEFT
  [115, 'volume_up'], // KEY_VOLUMEUP
  [103, 'volume_up'], // KEY_UP
  [114, 'volume_down'], // KEY_VOLUMEDOWN
  [108, 'volume_down'], // KEY_DOWN
  [1, 'stop_adhan'], // KEY_ESC
  [142, 'sleep'], // KEY_SLEEP
  [141, 'pair'], // KEY_SETUP
  [529, 'pair'], // KEY_WPS_BUTTON
]

const EV_KEY = 1
const EV_REL = 2
// A rotary encoder turns REL_X, REL_DIAL or REL_WHEEL, as its overlay says.
const TURNS = [0, 7, 8]
const RELEASED = 0
const HELD = 2
const MOST_STEPS = 20

/**
 * `/dev/input/event0` with the usual keys, or `/dev/input/event0:164=play_pause,30=next` with its own;
 * several devices are separated by spaces. Throws with what is wrong.
 */
export function readButtonMap(text: string): ButtonMap {
  const devices = text.split(/\s+/).filter(Boolean)
  return new Map(
    devices.map((device) => {
      const at = device.indexOf(':', 1)
      const [file, keys] = at < 0 ? [device, ''] : [device.slice(0, at), device.slice(at + 1)]
      if (!file.startsWith('/')) throw new Error(`${file} is no device such as /dev/input/event0`)
      return [file, keys === '' ? new Map(USUAL) : new Map(keys.split(',').map(readKey))]
    }),
  )
}

function readKey(text: string): [number, ButtonAction] {
  const [code = '', action = ''] = text.split('=')
  if (!/^\d{1,5}$/.test(code)) throw new Error(`${text} is not the number of a key and an action`)
  if (!isAction(action))
    throw new Error(`${action || text} is none of ${BUTTON_ACTIONS.join(', ')}`)
  return [Number(code), action]
}

const isAction = (text: string): text is ButtonAction =>
  (BUTTON_ACTIONS as readonly string[]).includes(text)

/** What an event asks for, and how often: a knob may have turned by several clicks at once. */
export function actionOf(
  keys: Map<number, ButtonAction>,
  { type, code, value }: InputEvent,
): { action: ButtonAction; times: number } | undefined {
  if (type === EV_REL && TURNS.includes(code) && value !== 0)
    return {
      action: value > 0 ? 'volume_up' : 'volume_down',
      times: Math.min(MOST_STEPS, Math.abs(value)),
    }
  const action = type === EV_KEY && value !== RELEASED ? keys.get(code) : undefined
  if (!action) return undefined
  // Only the volume goes on while a key is held down.
  const isVolume = action === 'volume_up' || action === 'volume_down'
  return value === HELD && !isVolume ? undefined : { action, times: 1 }
}
