import type { Rtc } from '../../ports/board.ts'
import type { Tree } from './tree.ts'

const CLOCKS = 'sys/class/rtc'
const SENSORS = 'sys/class/hwmon'

// Chips whose thermometer the kernel offers as a sensor of its own.
const CLOCK_SENSOR = /^(ds323[124]|rv3029|rv8803|rx8900|pcf2127|pcf2129|mcp794|isl12022)/

/** The name of the clock the kernel started from, else of the first one. */
export async function clockName(tree: Tree): Promise<string | undefined> {
  const names = await tree.list(CLOCKS)
  for (const name of names) {
    if ((await tree.read(`${CLOCKS}/${name}/hctosys`)) === '1') return name
  }
  return names[0]
}

export async function readRtc(tree: Tree): Promise<Rtc | undefined> {
  const name = await clockName(tree)
  if (!name) return undefined
  const shown = await tree.number(`${CLOCKS}/${name}/since_epoch`)
  const epoch_s = (await keepsLocalTime(tree)) ? undefined : shown
  const temperature = await readTemperature(tree, `${CLOCKS}/${name}/device/hwmon`)
  return { epoch_s, temperature }
}

/** A chip shared with another system may keep local time, whose zone nobody here knows. */
export async function keepsLocalTime(tree: Tree): Promise<boolean> {
  return /^LOCAL$/m.test((await tree.read('etc/adjtime')) ?? '')
}

/** First what hangs on the clock's own device, then any sensor with the name of a clock chip. */
async function readTemperature(tree: Tree, own: string): Promise<number | undefined> {
  for (const sensor of await tree.list(own)) {
    const celsius = await millidegrees(tree, `${own}/${sensor}`)
    if (celsius !== undefined) return celsius
  }
  for (const sensor of await tree.list(SENSORS)) {
    const chip = (await tree.read(`${SENSORS}/${sensor}/name`)) ?? ''
    if (CLOCK_SENSOR.test(chip)) return millidegrees(tree, `${SENSORS}/${sensor}`)
  }
  return undefined
}

async function millidegrees(tree: Tree, sensor: string): Promise<number | undefined> {
  const value = await tree.number(`${sensor}/temp1_input`)
  return value === undefined ? undefined : value / 1000
}

/** The file an alarm is written to; undefined when the clock cannot wake anyone. */
export async function alarmFile(tree: Tree): Promise<string | undefined> {
  const name = await clockName(tree)
  if (!name) return undefined
  const file = `${CLOCKS}/${name}/wakealarm`
  return (await tree.read(file)) === undefined ? undefined : file
}
