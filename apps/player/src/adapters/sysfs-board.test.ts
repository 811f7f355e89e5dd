import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { fakeTree } from '../testing/fake-tree.ts'
import type { Outcome } from './run-command.ts'
import { createSysfsBoard } from './sysfs-board.ts'

const RTC = 'sys/class/rtc/rtc0'
const BATTERY = 'sys/class/power_supply/bq27441-0'

function setup(t: TestContext, files: Record<string, string>, outcome: Partial<Outcome> = {}) {
  const tree = fakeTree(t, files)
  const commands: string[][] = []
  const board = createSysfsBoard(tree.root, async (command, args) => {
    commands.push([command, ...args])
    return { code: 0, stdout: '', stderr: '', ...outcome }
  })
  return { board, tree, commands }
}

const NONE = { present: false, voltage: 0, percentage: 0, charging: false }

const BATTERIES: [what: string, files: Record<string, string>, expected: object][] = [
  ['no power supply at all', {}, NONE],
  ['mains only', { 'sys/class/power_supply/AC/type': 'Mains' }, NONE],
  [
    'a battery that is charging, beside the mains',
    {
      'sys/class/power_supply/AC/type': 'Mains',
      [`${BATTERY}/type`]: 'Battery',
      [`${BATTERY}/present`]: '1',
      [`${BATTERY}/voltage_now`]: '3987400',
      [`${BATTERY}/capacity`]: '83',
      [`${BATTERY}/status`]: 'Charging',
    },
    { present: true, voltage: 3.987, percentage: 83, charging: true },
  ],
  [
    'a full battery, which is not charging any more',
    {
      [`${BATTERY}/type`]: 'Battery',
      [`${BATTERY}/voltage_now`]: '4200000',
      [`${BATTERY}/capacity`]: '100',
      [`${BATTERY}/status`]: 'Full',
    },
    { present: true, voltage: 4.2, percentage: 100, charging: false },
  ],
  [
    'a gauge without capacity: by the voltage of the cell',
    { [`${BATTERY}/type`]: 'Battery', [`${BATTERY}/voltage_now`]: '3750000' },
    { present: true, voltage: 3.75, percentage: 50, charging: false },
  ],
  [
    'a gauge that reports nonsense',
    { [`${BATTERY}/type`]: 'Battery', [`${BATTERY}/capacity`]: '255' },
    { present: true, voltage: 0, percentage: 100, charging: false },
  ],
  [
    'a holder without a cell',
    { [`${BATTERY}/type`]: 'Battery', [`${BATTERY}/present`]: '0' },
    NONE,
  ],
  [
    "a mouse's battery",
    {
      [`${BATTERY}/type`]: 'Battery',
      [`${BATTERY}/scope`]: 'Device',
      [`${BATTERY}/capacity`]: '9',
    },
    NONE,
  ],
]

for (const [what, files, expected] of BATTERIES) {
  test(`battery: ${what}`, async (t) => {
    assert.deepEqual(await setup(t, files).board.battery(), expected)
  })
}

const CLOCKS: [what: string, files: Record<string, string>, expected: object | undefined][] = [
  ['none', {}, undefined],
  [
    'a chip without a thermometer',
    { [`${RTC}/since_epoch`]: '1790000000' },
    { epoch_s: 1_790_000_000, temperature: undefined },
  ],
  [
    'a chip that measures, as a sensor of its own',
    {
      [`${RTC}/since_epoch`]: '1790000000',
      'sys/class/hwmon/hwmon0/name': 'cpu_thermal',
      'sys/class/hwmon/hwmon0/temp1_input': '61000',
      'sys/class/hwmon/hwmon1/name': 'ds3231',
      'sys/class/hwmon/hwmon1/temp1_input': '24250',
    },
    { epoch_s: 1_790_000_000, temperature: 24.25 },
  ],
  [
    'a chip that measures, on its own device',
    {
      [`${RTC}/since_epoch`]: '1790000000',
      [`${RTC}/device/hwmon/hwmon3/temp1_input`]: '-5500',
    },
    { epoch_s: 1_790_000_000, temperature: -5.5 },
  ],
  [
    'a chip that keeps local time tells no time of ours',
    { [`${RTC}/since_epoch`]: '1790000000', 'etc/adjtime': '0.0 0 0.0\n0\nLOCAL' },
    { epoch_s: undefined, temperature: undefined },
  ],
  [
    'a chip that lost its time',
    { [`${RTC}/name`]: 'x' },
    { epoch_s: undefined, temperature: undefined },
  ],
  [
    'two chips: the one the kernel started from',
    {
      [`${RTC}/since_epoch`]: '1',
      [`${RTC}/hctosys`]: '0',
      'sys/class/rtc/rtc1/since_epoch': '1790000000',
      'sys/class/rtc/rtc1/hctosys': '1',
    },
    { epoch_s: 1_790_000_000, temperature: undefined },
  ],
]

for (const [what, files, expected] of CLOCKS) {
  test(`clock chip: ${what}`, async (t) => {
    assert.deepEqual(await setup(t, files).board.rtc(), expected)
  })
}

test('the clock chip is set through its device; without one that is an error', async (t) => {
  const { board, commands, tree } = setup(t, { [`${RTC}/since_epoch`]: '1790000001' })
  await board.writeRtc(1_790_000_000)
  assert.deepEqual(commands, [
    [
      'hwclock',
      '--set',
      '--utc',
      '--noadjfile',
      '--rtc',
      `${tree.root}/dev/rtc0`,
      '--date',
      '2026-09-21 14:13:20',
    ],
  ])
  await assert.rejects(setup(t, {}).board.writeRtc(1), /no clock chip is fitted/)
  for (const mark of ['.dockerenv', 'etc/adjtime']) {
    const other = setup(t, { [`${RTC}/since_epoch`]: '1', [mark]: 'LOCAL' })
    await assert.rejects(other.board.writeRtc(1), /container|local time/)
    assert.deepEqual(other.commands, [])
  }
  const refusing = setup(
    t,
    { [`${RTC}/since_epoch`]: '1' },
    { code: 1, stderr: 'Permission denied\n' },
  )
  await assert.rejects(refusing.board.writeRtc(1), /not set: Permission denied/)
})

test('a clock chip that tells another time after being set was not set', async (t) => {
  for (const [files, error] of [
    [{ [`${RTC}/since_epoch`]: '946684800' }, /it tells 946684800 after being set to 1790000000/],
    [{ [`${RTC}/name`]: 'x' }, /it tells no time after/],
  ] as const) {
    await assert.rejects(setup(t, files).board.writeRtc(1_790_000_000), error)
  }
})

for (const [level, brightest, written] of [
  [0, 100, '0'],
  [255, 100, '100'],
  [128, 31, '16'],
  [1, 10, '1'],
] as const) {
  test(`brightness ${level} is ${written} of a panel's ${brightest}`, async (t) => {
    const { board, tree } = setup(t, {
      'sys/class/backlight/panel/max_brightness': `${brightest}`,
      'sys/class/backlight/panel/brightness': '7',
    })
    assert.equal(await board.setBrightness(level), true)
    assert.equal(tree.read('sys/class/backlight/panel/brightness'), written)
  })
}

test('without a backlight brightness changes nothing and makes no file', async (t) => {
  const { board } = setup(t, {})
  assert.equal(await board.setBrightness(9), false)
  const broken = setup(t, { 'sys/class/backlight/panel/max_brightness': '9' })
  await assert.rejects(broken.board.setBrightness(9), /ENOENT/)
})

const STATE = { 'sys/power/state': 'freeze mem disk' }
const ALARM = { [`${RTC}/wakealarm`]: '' }

const SLEEPLESS: [what: string, files: Record<string, string>, reason: RegExp][] = [
  ['without power management', { ...ALARM }, /no sleep state/],
  ['with an empty list of states', { ...ALARM, 'sys/power/state': '' }, /no sleep state/],
  ['that nothing could wake', STATE, /nothing could wake it/],
  ['in a container', { ...STATE, ...ALARM, '.dockerenv': '' }, /container/],
]

for (const [what, files, reason] of SLEEPLESS) {
  test(`a host ${what} does not sleep and says why`, async (t) => {
    const { board } = setup(t, files)
    assert.match((await board.whyNoSleep()) ?? '', reason)
    await assert.rejects(board.sleep(60), reason)
  })
}

test('sleep sets the alarm, relative to the chip, and takes the deepest state offered', async (t) => {
  const { board, tree } = setup(t, { ...STATE, ...ALARM })
  assert.equal(await board.whyNoSleep(), undefined)
  assert.equal(await board.canWakeItself(), true)
  await board.sleep(90.7)
  assert.equal(tree.read(`${RTC}/wakealarm`), '+90')
  assert.equal(tree.read('sys/power/state'), 'mem')
})

test('sleep without a plan clears an alarm that was left behind', async (t) => {
  const { board, tree } = setup(t, {
    'sys/power/state': 'freeze',
    [`${RTC}/wakealarm`]: '1790000000',
  })
  await board.sleep(undefined)
  assert.equal(tree.read(`${RTC}/wakealarm`), '0')
  assert.equal(tree.read('sys/power/state'), 'freeze')
})

test('a box with a button and no clock chip sleeps until the button', async (t) => {
  const { board, tree } = setup(t, { ...STATE, 'sys/class/wakeup/wakeup0/name': 'gpio-keys' })
  assert.equal(await board.canWakeItself(), false)
  await board.sleep(60)
  assert.equal(tree.read('sys/power/state'), 'mem')
})
