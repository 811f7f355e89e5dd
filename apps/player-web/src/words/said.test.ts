import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { reasonsIn } from '../testing/reasons-in.ts'
import { said } from './said.ts'

const BOX = fileURLToPath(new URL('../../../player/src/', import.meta.url))

/** Not asked by the dashboard, or told on the console alone. */
const ELSEWHERE =
  /(\.test|\.contract)\.ts$|^testing\/|\/testing\/|^openapi|^config|^enrol|^launcher|\/(soc|buttons|trust|mqtt|x509)\/|soc-client|sim-reader|screen\/domain|http\/(origin-check|rate-limits)|erase-store|system-wall-clock/

/** What goes around the reasons of some files before anybody hears of them. */
const AROUND: [file: RegExp, around: (text: string) => string][] = [
  [/features\/ota\//, (text) => `image: ${text}`],
  [
    /adapters\/(nfc|pcsc|pn532)/,
    (text) => `${text}; cards cannot be tapped until a reader answers`,
  ],
  [/verses\/(read-|domain\/(read-|timing))/, (text) => `times.json: ${text}`],
  [/sysfs\/sleep/, (text) => `this host cannot sleep: ${text}`],
]

/**
 * What nobody meets who uses the dashboard: it does not ask for it, its fields do not allow it, a
 * program is told, or it stands inside of another reason.
 */
const LEFT = new Set([
  // Inside of another.
  'there is no column 7',
  'it ended',
  'it did not answer',
  'it does not answer: 7',
  'it answers 7: 7',
  'it answers as 7, not as 7',
  '7 ended: 7',
  '7; 7',
  '7 not installed; 7',
  '7 look through 7, or bring a backup back',
  'PLAYER_DATA: 7 is damaged, and the disk is too full to mend it',
  '7 s',
  '7: 7',
  'field: 7',
  'path: the 7 7',
  'the card 7',
  'upload: the card 7',
  'upload: the 7 7',
  'update: 7',
  'wifi: 7',
  'path: cannot be played: 7',
  'path: cannot be read: 7',
  'it cannot be listened to: 7',
  'start: must come 7 verse 7, which is marked at 7 ms',
  // Programs that send files.
  'field: must be a number of bytes',
  'Upload-Length: more than the 7 bytes that were announced',
  'Content-Type: must be 7',
  'path: data: takes the name of a file',
  'upload: another request is sending it',
  'Upload-Offset: is 7, but 7 bytes are here',
  'upload: is whole already and being checked',
  'upload: was cancelled',
  'called off',
  // On the console.
  'there is no device token in 7 yet: start the player first',
  '7 cannot be read: 7',
  // The dashboard asks for nothing of the kind.
  'body: must be an object',
  'name: another learner has this name',
  'no learner has tapped in the last ten minutes',
  'reciter: must not be empty',
  'it ends before 7 ms',
  'verse: 7 is not there',
  'verse: what is memorised is 7 to 7',
  'loop.to: the file is 7 ms long',
  'type: 7 plays nothing',
  'pairing is off: set PLAYER_PAIRING=screen',
  'custom_angles: is required with convention custom',
  'field: is required with the other coordinate',
  'path: names no sound that is kept in the box',
  '7; the surahs it touches play whole7',
  '7 (7)',
  'files are whole surahs, so a part plays every surah that it touches from beginning to end',
  // Said by the page in its own words.
  'no location is set: send lat and lng',
  'the clock is not set: set the time or connect to a network',
  // The log and the start.
  'the audio output is closed',
  'nothing is loaded',
  '7 is not a file',
  'a container does not set the clock of its host',
  'no clock chip is fitted',
  'a container does not set the chip of its host',
  'the clock chip keeps local time',
  'the clock chip was not set: 7',
  'the clock chip was not set: it tells 7 after being set to 7',
  'the board is simulated, so the machine keeps its own time',
  'the state store is of a newer version (7, this one knows 7): install the newer version again',
  'a day without prayers',
  'resume: it is not wanted any more',
])

test('every reason of the box is said in the language of the person, or is known to be met by nobody', () => {
  const files = globSync('**/*.ts', { cwd: BOX }).filter((file) => !ELSEWHERE.test(file))
  const found = files.flatMap((file) => {
    const [, around = (text: string) => text] = AROUND.find(([its]) => its.test(file)) ?? []
    return reasonsIn(readFileSync(path.join(BOX, file), 'utf8'))
      .filter((text) => text.includes(' ') && !LEFT.has(text))
      .map((text) => ({ file, text: around(text) }))
  })
  assert.ok(found.length > 80, `${found.length} reasons were found`)
  const unsaid = found.filter(({ text }) => said(text, 'en', (words) => words) === undefined)
  assert.deepEqual(unsaid, [], 'say it in said.ts, or list it here')
})

test('what a worn disk can spoil is named in the language of the person', () => {
  const rules = readFileSync(path.join(BOX, 'features/system/unsound-rows.ts'), 'utf8')
  const names = [...rules.matchAll(/(?:\bname:|PRAYER =) '([^']+)'/g)].map(([, name = '']) => name)
  assert.ok(names.length > 5, `${names.length} names were found`)
  const unsaid = names.filter((name) => said(name, 'en', (words) => words) === undefined)
  assert.deepEqual(unsaid, [])
})

test('reasons are found where they are written', () => {
  const source = `
    throw invalid('url', \`is already saved as \${taken.name}\`)
    throw invalid(kind === 'file' ? 'path' : 'url', why)
    throw new AppError(500, 'update: needs room', { cause: 'disk full' })
    return { verses: null, reason: \`of \${list.map((one) => \`\${one}\`)} none\` }`
  assert.deepEqual(reasonsIn(source), [
    'url: is already saved as 7',
    'update: needs room',
    'of 7 none',
  ])
})

test('a card that plays nothing is told with the reason, whose remedy may be another', () => {
  const tapped = (why: string) =>
    said(`the card that was tapped last plays nothing: ${why}`, 'en', (words, { why = '' } = {}) =>
      words.replace('{why}', why),
    )
  assert.match(
    tapped('no sound device could be opened') ?? '',
    /\. The box finds no loudspeaker\. /,
  )
  assert.match(
    tapped('surah: 3 of Husary is not on the card') ?? '',
    /\. That is not on the card\. /,
  )
})
