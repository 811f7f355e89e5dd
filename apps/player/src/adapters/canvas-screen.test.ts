import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Frame, NowPlayingScene, Scene } from '../ports/screen.ts'
import { ALARM, GOLD, GROUND, QUIET, TEXT } from './canvas/palette.ts'
import { createCanvasPainter } from './canvas-screen.ts'
import { boxOf, heightAt, inkOf } from './testing/ink.ts'

const painter = await createCanvasPainter()()
const WIDTH = 320

/** Keeps what is painted: a frame is good until the next one only. */
function paint(scene: Scene, scale = 1): Frame {
  const { width, height, rgba } = painter.paint(scene, scale)
  return { width, height, rgba: rgba.slice() }
}

const BLANK: NowPlayingScene = {
  screen: 'now-playing',
  isRtl: false,
  top: { clock: '', next: '' },
  title: '',
  subtitle: '',
  detail: '',
  progress: null,
  beads: null,
  elapsed: '',
  total: '',
  state: '',
  note: '',
  aside: '',
  isWaiting: false,
}
const EMPTY = paint(BLANK)
const inkOfTitle = (title: string) => inkOf(paint({ ...BLANK, title }), EMPTY)
const widthOf = (title: string) => {
  const { left, right } = boxOf(inkOfTitle(title), WIDTH)
  return right - left + 1
}

test('a frame is 320 × 240 opaque pixels on the dark ground', () => {
  assert.deepEqual([EMPTY.width, EMPTY.height, EMPTY.rgba.length], [320, 240, 320 * 240 * 4])
  const colours = new Set(new Uint32Array(EMPTY.rgba.buffer))
  assert.deepEqual([...colours], [0xff_0f_18_06])
})

test('a larger panel gets a larger picture of the same', () => {
  const scene = { ...BLANK, title: 'سورة البقرة' }
  const [once, twice] = [paint(scene), paint(scene, 2)]
  assert.deepEqual([twice.width, twice.height], [640, 480])
  const small = boxOf(inkOf(once, EMPTY), 320)
  const large = boxOf(inkOf(twice, paint(BLANK, 2)), 640)
  assert.ok(Math.abs(large.left - 2 * small.left) <= 3, `${large.left} ${small.left}`)
  assert.ok(Math.abs(large.bottom - 2 * small.bottom) <= 3)
})

test('Arabic letters join', () => {
  // The same letters, kept apart by what forbids joining, are wider.
  assert.ok(widthOf('ببب') < 0.8 * widthOf('ب\u200cب\u200cب'))
})

test('what ends an Arabic line stands on its left', () => {
  const ink = inkOfTitle('ل ....')
  assert.ok(heightAt('right', ink, WIDTH) > 20)
  assert.ok(heightAt('left', ink, WIDTH) < 14)
})

test('Arabic begins on the right, and its numbers still run from the left', () => {
  // Lam is tall, one is tall, zeros are dots: seen from the left 1 0 0 0 0 and then lam.
  const ink = inkOfTitle('ل ١٠٠٠٠')
  assert.ok(heightAt('right', ink, WIDTH) > 15)
  assert.ok(heightAt('left', ink, WIDTH, 8) > 15)
  const zeros = inkOfTitle('٠٠٠٠')
  assert.ok(heightAt('left', zeros, WIDTH, 8) < 12)
})

test('a name that is too long is cut where reading ends', () => {
  const arabic = inkOfTitle('ا'.repeat(200))
  const latin = inkOfTitle('l'.repeat(200))
  for (const ink of [arabic, latin]) {
    const { left, right } = boxOf(ink, WIDTH)
    assert.ok(left >= 12 && right <= 308 && right - left > 260, `${left}..${right}`)
  }
  assert.ok(heightAt('left', arabic, WIDTH) < 6, 'the dots are on the left')
  assert.ok(heightAt('right', arabic, WIDTH) > 12)
  assert.ok(heightAt('right', latin, WIDTH) < 6, 'the dots are on the right')
  assert.ok(heightAt('left', latin, WIDTH) > 12)
})

test('a name that is a little too long shrinks before it is cut', () => {
  const { bottom, top } = boxOf(inkOfTitle('Mohamed Siddiq Al-Minshawi'), WIDTH)
  const whole = boxOf(inkOfTitle('Mohamed'), WIDTH)
  assert.ok(bottom - top < whole.bottom - whole.top)
})

test('lines change sides in Arabic, the bar does not', () => {
  const scene = { ...BLANK, top: { clock: '3:42', next: '' }, progress: 0.25 }
  const clockOf = (isRtl: boolean) =>
    boxOf(inkOf(paint({ ...scene, isRtl }), paint({ ...BLANK, progress: 0.25 })), WIDTH)
  assert.ok(clockOf(false).right < 80)
  assert.ok(clockOf(true).left > 240)
  const bar = (isRtl: boolean) => goldIn(paint({ ...BLANK, isRtl, progress: 0.25 }), 167)
  assert.deepEqual(bar(true), bar(false))
})

/** Columns of a row that have the colour of what is done. */
function goldIn({ rgba, width }: Frame, y: number): number[] {
  const colour = [1, 3, 5].map((at) => Number.parseInt(GOLD.slice(at, at + 2), 16))
  return Array.from({ length: width }, (_, x) => x).filter((x) => {
    const at = (y * width + x) * 4
    return colour.every((part, index) => rgba[at + index] === part)
  })
}

for (const progress of [0, 0.25, 0.5, 1]) {
  test(`a bar at ${progress * 100} % is filled that far from the left`, () => {
    const filled = goldIn(paint({ ...BLANK, progress }), 167)
    assert.ok(Math.abs(filled.length - 292 * progress) <= 2, String(filled.length))
    if (progress > 0) assert.ok((filled[0] ?? 0) <= 16)
  })
}

test('a second that passes changes the line of the times alone', () => {
  const before = paint({ ...BLANK, title: 'سورة البقرة', elapsed: '0:41' })
  const { top, bottom } = boxOf(
    inkOf(paint({ ...BLANK, title: 'سورة البقرة', elapsed: '0:42' }), before),
    WIDTH,
  )
  assert.ok(top > 171 && bottom < 200, `${top}..${bottom}`)
})

const LONG = 'عبد الباسط عبد الصمد المرتل برواية ورش عن نافع من طريق الأزرق'
const TOP = { clock: '12:58 PM', next: 'Maghrib 12:58 PM' }
/** Every text as long as it can get, in the letters that reach highest and lowest. */
const FULLEST: Scene[] = [
  {
    ...BLANK,
    ...{ top: TOP, title: LONG, subtitle: LONG, detail: LONG, progress: 0.5 },
    ...{ elapsed: '12:58:07', total: '12:58:07', state: 'متوقف مؤقتًا' },
    ...{ note: 'Surahs 100–114 · 1000 of 1000', aside: 'Volume 100' },
  },
  {
    ...BLANK,
    ...{ isRtl: true, isWaiting: true, note: 'التكرار ١٠٠٠ من ١٠٠٠', aside: 'الإعادة بعد ١٠:٠٠' },
  },
  {
    screen: 'idle',
    isRtl: false,
    ...{ clock: '12:58', half: 'PM', date: 'Wednesday, 23 September' },
    hijri: '29 Jumada al-Thani 1448 AH',
    next: { name: 'Maghrib', time: '12:58 PM', countdown: 'in 12 h 59 min' },
    notice: LONG,
  },
  {
    screen: 'idle',
    isRtl: true,
    ...{ clock: '١٢:٥٨', half: 'م', date: 'الأربعاء، ٢٣ سبتمبر', hijri: '٢٩ جمادى الآخرة ١٤٤٨ هـ' },
    next: { name: 'المغرب', time: '١٢:٥٨ م', countdown: 'بعد ١٢ س ٥٩ د' },
    notice: LONG,
  },
  {
    ...{ screen: 'adhan', isRtl: false, call: 'حان الآن موعد صلاة', title: 'المغرب' },
    ...{ subtitle: 'Maghrib · 12:58 PM', state: 'متوقف مؤقتًا' },
  },
  {
    ...{ screen: 'update', isRtl: false, top: TOP, title: 'Firmware update', progress: 1 },
    ...{ step: 'Checking the signature', percent: '100%', warning: 'يُرجى عدم فصل الكهرباء' },
  },
  {
    screen: 'error',
    isRtl: true,
    top: TOP,
    title: 'توقف التشغيل',
    message: `${LONG} ${LONG} ${LONG}`,
  },
]

for (const scene of FULLEST) {
  test(`${scene.screen}${scene.isRtl ? ' from the right' : ''}: no text touches another or the edge`, () => {
    const ground = paint(onlyText(scene, ''))
    const taken = new Map<number, string>()
    for (const name of textsOf(scene)) {
      const ink = inkOf(paint(onlyText(scene, name)), ground)
      assert.ok(ink.size > 0, `${name} is drawn`)
      const { left, right, top, bottom } = boxOf(ink, WIDTH)
      assert.ok(left >= 4 && top >= 2 && right <= 315 && bottom <= 237, `${name} stays inside`)
      for (const place of ink) {
        assert.equal(taken.get(place), undefined, `${name} over ${taken.get(place)}`)
        taken.set(place, name)
      }
    }
  })
}

/** What is drawn beside another text, wherever that ends, counts as part of it. */
const BESIDE: Record<string, string> = { half: 'clock', time: 'name' }

function textsOf(scene: object): string[] {
  return Object.entries(scene).flatMap(([key, value]) => {
    if (typeof value === 'object' && value !== null) return textsOf(value)
    return isText(key, value) && value !== '' && !(key in BESIDE) ? [key] : []
  })
}

const isText = (key: string, value: unknown) => typeof value === 'string' && key !== 'screen'

/** The scene with all its texts gone but one. */
function onlyText<T extends object>(scene: T, kept: string): T {
  const entries = Object.entries(scene).map(([key, value]) => {
    if (typeof value === 'object' && value !== null) return [key, onlyText(value, kept)]
    return [key, isText(key, value) && (BESIDE[key] ?? key) !== kept ? '' : value]
  })
  return Object.fromEntries(entries)
}

test('whatever a folder or a station is called is drawn between the margins', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      const [title, detail] = [text, `ا${text}`]
      const ink = inkOf(paint({ ...BLANK, title, subtitle: text, detail, note: text }), EMPTY)
      const { left, right } = boxOf(ink, WIDTH)
      // A letter may reach a little over its own width.
      assert.ok(left >= 4 && right < WIDTH - 4, `${left}..${right}`)
    }),
    { numRuns: 100 },
  )
})

for (const [name, colour] of Object.entries({ TEXT, QUIET, GOLD, ALARM })) {
  test(`${name} can be read on the ground: at least 7 to 1`, () => {
    const contrast = (luminance(colour) + 0.05) / (luminance(GROUND) + 0.05)
    assert.ok(contrast >= 7, String(contrast))
  })
}

/** Relative luminance as WCAG 2 defines it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

test('a hundred pictures leave nothing behind', () => {
  const before = process.memoryUsage().external
  for (let second = 0; second < 100; second += 1) {
    painter.paint({ ...BLANK, elapsed: String(second) }, 1)
  }
  const grown = process.memoryUsage().external - before
  assert.ok(grown < 5 * 320 * 240 * 4, `${grown} bytes`)
})

test('repetitions are beads, one after the other from where reading begins', () => {
  const beads = (isRtl: boolean) => paint({ ...BLANK, isRtl, beads: { done: 1, of: 5 } })
  const count = ({ rgba }: Frame, hex: string) => {
    const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
    const at: number[] = []
    for (let i = 0; i < rgba.length; i += 4)
      if (rgba[i] === r && rgba[i + 1] === g && rgba[i + 2] === b) at.push((i / 4) % WIDTH)
    return at
  }
  const [gold, white] = [count(beads(false), GOLD), count(beads(false), TEXT)]
  assert.ok(gold.length > 50 && white.length > 50, `${gold.length} ${white.length}`)
  assert.ok(Math.max(...gold) < Math.min(...white), 'done ones come first')
  assert.ok(Math.min(...count(beads(true), GOLD)) > Math.max(...count(beads(true), TEXT)))
})
