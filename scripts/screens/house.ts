import path from 'node:path'
import { createManualClock } from '../../apps/player/src/testing/manual-clock.ts'
import { playerFixture, TOKEN } from '../../apps/player/src/testing/player-fixture.ts'
import { SURAHS } from '../../packages/player-contract/src/surahs.ts'

/** A Sunday in November, an hour and 24 minutes before Asr. */
const NOW = Date.parse('2026-11-15T10:21:40Z')

const whole = (reciter: string, numbers = SURAHS.map(({ number }) => number)) =>
  numbers.map((number) => `${reciter}/${String(number).padStart(3, '0')}.mp3`)
const from = (first: number) => Array.from({ length: 115 - first }, (_, at) => first + at)

const FILES = [
  ...whole('Mahmoud Khalil Al-Husary'),
  ...whole('Mishary Rashid Alafasy'),
  ...whole('Muhammad Siddiq Al-Minshawi (Mujawwad)', from(36)),
  ...whole('Abdul Basit Abdul Samad', [1, 12, 18, 19, 36, 55, 56, 67, ...from(78)]),
  ...whole('Grandfather', [1, 112, 113, 114]),
]

const BATTERY = {
  'sys/class/power_supply/BAT0/type': 'Battery\n',
  'sys/class/power_supply/BAT0/present': '1\n',
  'sys/class/power_supply/BAT0/capacity': '82\n',
  'sys/class/power_supply/BAT0/voltage_now': '3980000\n',
  'sys/class/power_supply/BAT0/status': 'Discharging\n',
}

const surah = (number: number, reciter = 'Mahmoud Khalil Al-Husary') => ({
  type: 'surah',
  reciter,
  surah: number,
})

const CAIRO = { name: 'إذاعة القرآن الكريم من القاهرة', url: 'http://stream.example/cairo' }

const STATIONS = [
  CAIRO,
  { name: 'Quran Radio Makkah', url: 'https://live.example/makkah.m3u8' },
  { name: 'Tarateel', url: 'https://radio.example/tarateel' },
]

const FAVOURITES = [
  ...[67, 36, 18, 55].map((number) => surah(number)),
  surah(112, 'Grandfather'),
  { type: 'stream', ...CAIRO },
]

const SCHEDULES = [
  { hour: 5, minute: 30, days: 0b0111110, target: surah(36), volume: 40 },
  { hour: 20, minute: 0, days: 0b1111111, target: surah(67) },
  { hour: 9, minute: 0, days: 0b0100000, target: surah(18, 'Mishary Rashid Alafasy'), volume: 45 },
  { hour: 16, minute: 15, days: 0b0010101, target: { type: 'stream', url: CAIRO.url } },
]

const CARDS = [
  {
    uid: '04A1B2C3D4E5F6',
    name: 'Maryam',
    binding: {
      ...surah(78),
      mode: { mode: 'hifz_ab', repeat: 3, pause_s: 5, ab: { from: 78, to: 80 } },
    },
  },
  { uid: '0455AA01', name: 'Evening', binding: surah(67), second_tap: 'restart' },
  { uid: '04AABBCC', name: 'Teta’s radio', binding: { type: 'stream', url: CAIRO.url } },
]

/** The box of a family in Cairo, as it is on a Sunday noon: everything in it is fixed. */
export async function openHouse() {
  const ends: (() => Promise<void>)[] = []
  const clock = createManualClock(NOW)
  const t = { after: (end: () => Promise<void>) => ends.push(end), diagnostic() {} }
  const house = await playerFixture(t as never, {
    files: FILES,
    dashboard: path.join(import.meta.dirname, '../../apps/player-web/dist'),
    duration_ms: 634_000,
    clock,
    sysfs: BATTERY,
  })
  await furnish(house)
  for (let round = 0; round < 3; round += 1) {
    house.audio.end()
    await house.settled()
    clock.advance(8_000)
    await house.settled()
  }
  house.audio.playTo(200_000)
  const address = await house.app.listen({ host: '127.0.0.1', port: 0 })
  return {
    ...house,
    address,
    token: TOKEN,
    async close() {
      for (const end of ends) await end()
    },
  }
}

async function furnish({ post }: Pick<Awaited<ReturnType<typeof playerFixture>>, 'post'>) {
  async function done(url: string, body: object) {
    const reply = await post(url, body)
    if (reply.statusCode !== 200) throw new Error(`${url}: ${reply.body}`)
  }
  await done('/settings/timezone', { timezone: 'EET-2EEST,M4.5.5/0,M10.5.4/24' })
  await done('/settings/wifi', { ssid: 'Bayt an-Nour', password: 'long enough' })
  await done('/settings/hostname', { hostname: 'manara' })
  await done('/prayer/config', {
    lat: 30.0444,
    lng: 31.2357,
    method: 2,
    adhan: { enabled: true, prayer_mask: 61, volume: 70 },
  })
  for (const station of STATIONS) await done('/radio/stations', station)
  for (const favourite of FAVOURITES) await done('/favorites', favourite)
  for (const schedule of SCHEDULES) await done('/schedules', schedule)
  for (const card of CARDS) await done('/rfid/cards', card)
  await done('/playback/volume', { volume: 46 })
  await done('/playback/mode', { mode: 'hifz_repeat', repeat: 7, pause_s: 8 })
  await done('/playback/play', { path: 'Mahmoud Khalil Al-Husary/067.mp3' })
}
