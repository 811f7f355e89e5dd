import type { Board } from '../ports/board.ts'
import type { RunCommand } from './run-command.ts'
import { readBattery } from './sysfs/battery.ts'
import { alarmFile, clockName, keepsLocalTime, readRtc } from './sysfs/rtc.ts'
import { isContainer, sleepUntilWoken, whyNoSleep } from './sysfs/sleep.ts'
import { openTree } from './sysfs/tree.ts'

const BACKLIGHTS = 'sys/class/backlight'
// Setting waits for a full second of the chip, and a busy machine reads it back late.
const READ_BACK_S = 5

/** The board as the Linux kernel shows it in files under `root`. */
export function createSysfsBoard(root: string, run: RunCommand): Board {
  const tree = openTree(root)
  return {
    name: 'sysfs',
    battery: () => readBattery(tree),
    rtc: () => readRtc(tree),

    async writeRtc(epoch_s) {
      const name = await clockName(tree)
      if (!name) throw new Error('no clock chip is fitted')
      if (await isContainer(tree)) throw new Error('a container does not set the chip of its host')
      if (await keepsLocalTime(tree)) throw new Error('the clock chip keeps local time')
      // The kernel shows the chip's time in a file and takes a new one only through its device.
      const device = tree.at(`dev/${name}`)
      const args = ['--set', '--utc', '--noadjfile', '--rtc', device, '--date', dateText(epoch_s)]
      const { code, stderr } = await run('hwclock', args)
      if (code !== 0)
        throw new Error(
          `the clock chip was not set: ${stderr.trim() || `hwclock ended with ${code}`}`,
        )
      const told_s = (await readRtc(tree))?.epoch_s
      if (told_s === undefined || Math.abs(told_s - epoch_s) > READ_BACK_S)
        throw new Error(
          `the clock chip was not set: it tells ${told_s ?? 'no time'} after being set to ${epoch_s}`,
        )
    },

    async setBrightness(level) {
      const names = await tree.list(BACKLIGHTS)
      for (const name of names) {
        const brightest = (await tree.number(`${BACKLIGHTS}/${name}/max_brightness`)) ?? 255
        await tree.write(`${BACKLIGHTS}/${name}/brightness`, String(scaled(level, brightest)))
      }
      return names.length > 0
    },

    whyNoSleep: () => whyNoSleep(tree),
    canWakeItself: async () => (await alarmFile(tree)) !== undefined,
    sleep: (wakeIn_s) => sleepUntilWoken(tree, wakeIn_s),
  }
}

/** The one form that every hwclock takes; Debian's is built without the parser that knows `@seconds`. */
const dateText = (epoch_s: number) =>
  new Date(epoch_s * 1000).toISOString().slice(0, 19).replace('T', ' ')

/** Only 0 is dark: on a panel of few steps the lowest levels would round down to nothing. */
function scaled(level: number, brightest: number): number {
  return level === 0 ? 0 : Math.max(1, Math.round((level / 255) * brightest))
}
