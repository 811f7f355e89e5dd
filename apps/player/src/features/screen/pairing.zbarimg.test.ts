import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import type { ButtonParts } from '../../compose/buttons.ts'
import type { Buttons } from '../../ports/buttons.ts'
import type { Frame } from '../../ports/screen.ts'
import { type FixtureOptions, playerFixture, TOKEN } from '../../testing/player-fixture.ts'
import { bmp } from './domain/bmp.ts'

const LINK = `https://player.local:8443/#token=${TOKEN}`

/** What a camera reads in the picture: empty when there is no code. */
function scan(t: TestContext, picture: Buffer): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'scan-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'screen.bmp')
  writeFileSync(file, picture)
  return spawnSync('zbarimg', ['--quiet', '--raw', file], { encoding: 'utf8' }).stdout.trim()
}

async function setup(
  t: TestContext,
  pairing: FixtureOptions['pairing'],
  buttons?: FixtureOptions['buttons'],
) {
  let last: Buffer = Buffer.alloc(0)
  const panel = {
    name: 'glass',
    scale: 1,
    async show(frame: Frame) {
      last = bmp(frame)
    },
    async close() {},
  }
  const box = await playerFixture(t, {
    panel,
    pairing: { ...pairing },
    ...(buttons && { buttons }),
  })
  return {
    ...box,
    async tapUnknown() {
      box.events.emit('nfc', { uid: '04A1B2C3', uid_len: 4, registered: false, name: '' })
      box.clock.advance(1_000)
      await box.settled()
    },
    glass: () => scan(t, last),
  }
}

for (const language of ['en', 'ar']) {
  test(`PLAYER_PAIRING=screen (${language}): after a tap the glass shows the link, also over what plays, and then no more`, async (t) => {
    const { clock, glass, post, settled, tapUnknown } = await setup(t, { isWanted: true })
    await post('/settings/language', { language })
    await post('/playback/play', { path: 'Husary/001.mp3' })
    await settled()
    assert.equal(glass(), '')
    await tapUnknown()
    assert.equal(glass(), LINK)
    clock.advance(120_000)
    await settled()
    assert.equal(glass(), '')
  })
}

test('the code is on the glass only: a screenshot has none, and no event or route the token', async (t) => {
  const { app, seen, tapUnknown, glass } = await setup(t, { isWanted: true })
  await tapUnknown()
  assert.equal(glass(), LINK)
  const headers = { authorization: `Bearer ${TOKEN}` }
  const shot = await app.inject({ url: '/api/debug/screenshot', headers })
  assert.equal(shot.statusCode, 200)
  assert.equal(scan(t, shot.rawPayload), '')
  assert.ok(!JSON.stringify(seen).includes(TOKEN))
})

test('a button that means pairing is an act', async (t) => {
  const device = '/dev/input/event0'
  const map: ButtonParts['map'] = new Map([[device, new Map([[529, 'pair']])]])
  let pressed: Parameters<Buttons['start']>[0] = assert.fail
  const buttons: Buttons = {
    start(onEvent) {
      pressed = onEvent
    },
    stop() {},
  }
  const { clock, glass, settled } = await setup(t, { isWanted: true }, { map, buttons })
  assert.equal(glass(), '')
  pressed(device, { type: 1, code: 529, value: 1 })
  await settled()
  clock.advance(1_000)
  await settled()
  assert.equal(glass(), LINK)
  clock.advance(120_000)
  await settled()
  assert.equal(glass(), '')
})

test('by default no act shows the token', async (t) => {
  const { glass, tapUnknown } = await setup(t, { machineUptime: () => 1 })
  await tapUnknown()
  assert.equal(glass(), '')
})
