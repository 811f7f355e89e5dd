import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import type { OtaStatus } from '@manara/player-contract/ota'
import { type FixtureOptions, playerFixture, TOKEN } from '../../testing/player-fixture.ts'
import { bootOnce } from './boot-once.ts'
import { ENTRY, openSlots } from './slots.ts'
import { pemOf, sampleImage, updateKey } from './testing/sample-image.ts'

const KEY = updateKey()
const key = KEY.privateKey

async function setup(t: TestContext, options: FixtureOptions = {}) {
  const box = await playerFixture(t, options)
  const updatesDir = path.join(box.dataDir, 'updates')
  mkdirSync(updatesDir, { recursive: true })
  writeFileSync(path.join(updatesDir, 'trusted-keys.pem'), pemOf(KEY.publicKey))
  let sender = 1
  return {
    ...box,
    slots: openSlots(updatesDir, ''),
    files: () => readdirSync(updatesDir, { recursive: true }).sort(),
    status: async (): Promise<OtaStatus> => (await box.get('/ota/status')).json(),
    // From another address each time: what is tested here is not the rate limit.
    upload: (payload: Buffer | Readable, query = '', headers: Record<string, string> = {}) =>
      box.app.inject({
        method: 'POST',
        url: `/api/ota/upload${query}`,
        remoteAddress: `10.0.0.${sender++}`,
        headers: {
          authorization: `Bearer ${TOKEN}`,
          'content-type': 'application/octet-stream',
          ...headers,
        },
        payload,
      }),
    otaEvents: () =>
      box.seen
        .filter(({ event }) => event === 'ota')
        .map(({ data }) => (data as OtaStatus).status)
        .filter((status, index, all) => status !== all[index - 1]),
  }
}

test('GET /ota/status needs no token and has the five fields of the contract', async (t) => {
  const { status } = await setup(t)
  assert.deepEqual(await status(), {
    in_progress: false,
    progress: 0,
    mode: 'idle',
    status: 'idle',
    error: '',
  })
})

test('POST /ota/upload installs into the spare slot, tells each step, then asks for a restart', async (t) => {
  const { clock, files, otaEvents, restarts, slots, upload } = await setup(t)
  const big = randomBytes(300_000)
  const image = sampleImage({
    key,
    files: { 'deep/er/big.bin': big },
    links: { 'node_modules/x': '../deep' },
  })
  const reply = await upload(image)
  assert.equal(reply.statusCode, 200, reply.body)
  assert.deepEqual(reply.json(), {
    success: true,
    in_progress: true,
    progress: 100,
    mode: 'upload',
    status: 'rebooting',
    error: '',
  })
  assert.deepEqual(otaEvents(), ['receiving', 'verifying', 'installing', 'rebooting'])
  assert.deepEqual(readFileSync(path.join(slots.dir('a'), 'node_modules/x/er/big.bin')), big)
  assert.ok(slots.isWhole('a'))
  assert.deepEqual(
    files().filter((name) => /staging|incoming/.test(String(name))),
    [],
  )
  assert.equal(slots.readRecord().pending?.version, '0.1.0')
  assert.deepEqual(restarts, [])
  clock.advance(500)
  assert.deepEqual(restarts, ['launcher'])
})

test('POST /ota/upload takes any content type, JSON and none too', async (t) => {
  for (const type of ['application/json', 'text/plain', undefined]) {
    const { app } = await setup(t)
    const reply = await app.inject({
      method: 'POST',
      url: '/api/ota/upload',
      headers: { authorization: `Bearer ${TOKEN}`, ...(type && { 'content-type': type }) },
      payload: good(),
    })
    assert.equal(reply.statusCode, 200, `${type}: ${reply.body}`)
  }
})

const good = () => sampleImage({ key })
function changed(at: number): Buffer {
  const image = good()
  image.writeUInt8((image.at(at) ?? 0) ^ 1, at < 0 ? image.length + at : at)
  return image
}
const refusals: [name: string, image: () => Buffer, reason: RegExp][] = [
  ['signed by a stranger', () => sampleImage({ key: updateKey().privateKey }), /trusted key/],
  ['with a changed manifest', () => changed(30), /trusted key/],
  ['with a changed signature', () => changed(good().indexOf('}') + 5), /trusted key/],
  ['with a changed archive', () => changed(-20), /digest/],
  ['with a wrong digest', () => sampleImage({ key, manifest: { sha256: '0'.repeat(64) } }), /dige/],
  ['cut off in the archive', () => good().subarray(0, -10), /cut off/],
  ['cut off in the manifest', () => good().subarray(0, 40), /cut off before its signature/],
  ['longer than signed', () => Buffer.concat([good(), Buffer.from('x')]), /longer/],
  ['of a wrong size', () => sampleImage({ key, manifest: { size: 5 } }), /longer/],
  ['that is no image', () => randomBytes(9000), /not a firmware image/],
  ['that is empty', () => Buffer.alloc(0), /cut off/],
  ['larger than the box takes', () => sampleImage({ key, manifest: { size: 2 ** 33 } }), /larger/],
  ['of the version that runs', () => sampleImage({ key, version: '0.0.0' }), /not newer/],
  ['of an older version', () => sampleImage({ key, version: '0.0.0-rc.1' }), /not newer/],
  [
    'that needs another',
    () => sampleImage({ key, manifest: { minimum_version: '9.0.0' } }),
    /9\.0/,
  ],
  ['for another machine', () => sampleImage({ key, manifest: { platform: 'toaster' } }), /toaster/],
  ['with a broken manifest', () => sampleImage({ key, manifest: { version: 'new' } }), /version/],
  [
    'without a player in it',
    () => sampleImage({ key, files: { [ENTRY]: undefined } }),
    /no player/,
  ],
  [
    'that unpacks to more',
    () => sampleImage({ key, manifest: { unpacked_size: 1 }, files: { x: 'xy' } }),
    /more than/,
  ],
]
for (const [name, image, reason] of refusals) {
  test(`POST /ota/upload of an image ${name} is 400 and changes nothing on disk`, async (t) => {
    const { files, restarts, slots, status, upload } = await setup(t)
    const before = files()
    const reply = await upload(image())
    assert.equal(reply.statusCode, 400, reply.body)
    assert.match(reply.json().error, /^image: /)
    assert.match(reply.json().error, reason)
    assert.deepEqual(
      files().filter((file) => file !== 'slots'),
      before,
    )
    assert.equal(slots.readRecord().pending, null)
    const after = await status()
    assert.deepEqual([after.status, after.in_progress], ['failed', false])
    assert.deepEqual(restarts, [])
  })
}

test('an archive that leaves its folder is refused even when it is rightly signed', async (t) => {
  const { dataDir, upload } = await setup(t)
  const reply = await upload(sampleImage({ key, links: { up: '../../../player.db' } }))
  assert.equal(reply.statusCode, 400)
  assert.match(reply.json().error, /leaves its folder/)
  assert.ok(existsSync(path.join(dataDir, 'player.db')))
})

test('nothing of an image is put behind one of its links', async (t) => {
  const { slots, upload } = await setup(t)
  const links = { 'a/b/top': '../..', 'a/b/top/out': '..', 'a/b/top/out/evil': 'x' }
  const reply = await upload(sampleImage({ key, links }))
  assert.equal(reply.statusCode, 400)
  assert.match(reply.json().error, /a\/b\/top\/out lies behind a link/)
  assert.equal(slots.readRecord().pending, null)
})

test('an image of very many empty files or links is refused, and leaves nothing', async (t) => {
  const { files, upload } = await setup(t)
  const links = Object.fromEntries(Array.from({ length: 25_000 }, (_, at) => [`links/${at}`, 'x']))
  const reply = await upload(sampleImage({ key, links }))
  assert.equal(reply.statusCode, 400, reply.body)
  assert.match(reply.json().error, /^image: holds more than 25000 files and links/)
  assert.deepEqual(
    files().filter((name) => String(name).startsWith('slots/')),
    [],
  )
})

test('an image that goes on after its end is refused; padding is not', async (t) => {
  const { slots, upload } = await setup(t)
  const reply = await upload(sampleImage({ key, behind: 2 ** 22 }))
  assert.equal(reply.statusCode, 400, reply.body)
  assert.match(reply.json().error, /^image: goes on after its end/)
  assert.equal(slots.readRecord().pending, null)
  assert.equal((await upload(sampleImage({ key, behind: 2 ** 19 }))).statusCode, 200)
})

test('POST /ota/upload?allow_downgrade=true installs an older version', async (t) => {
  const { slots, upload } = await setup(t)
  const old = sampleImage({ key, version: '0.0.0-rc.1' })
  assert.equal((await upload(old, '?allow_downgrade=yes')).statusCode, 400)
  assert.equal((await upload(old, '?allow_downgrade=true')).statusCode, 200)
  assert.equal(slots.readRecord().pending?.version, '0.0.0-rc.1')
})

test('POST /ota/upload that announces more than the box takes is refused unread', async (t) => {
  const { upload } = await setup(t)
  const reply = await upload(good(), '', { 'content-length': String(2 ** 40) })
  assert.match(reply.json().error, /^image: is larger than the 4 MiB/)
})

test('POST /ota/upload without the token is 401 and begins nothing', async (t) => {
  const { app, status } = await setup(t)
  const reply = await app.inject({ method: 'POST', url: '/api/ota/upload', payload: good() })
  assert.equal(reply.statusCode, 401)
  assert.equal((await status()).status, 'idle')
})

test('uploads are 2 a minute; the third is 429', async (t) => {
  const { app } = await setup(t)
  const codes: number[] = []
  for (let turn = 0; turn < 3; turn += 1) {
    codes.push((await app.inject({ method: 'POST', url: '/api/ota/upload' })).statusCode)
  }
  assert.deepEqual(codes, [401, 401, 429])
})

test('one update at a time: a second upload is refused, and the first goes on', async (t) => {
  const { next, status, upload } = await setup(t)
  const image = sampleImage({ key, files: { 'big.bin': randomBytes(100_000) } })
  const body = new PassThrough()
  const begun = next('ota')
  const first = upload(body)
  body.write(image.subarray(0, 50_000))
  await begun
  const second = await upload(image)
  assert.equal(second.statusCode, 400)
  assert.match(second.json().error, /^update: one is already under way: receiving/)
  assert.equal((await status()).status, 'receiving')
  body.end(image.subarray(50_000))
  assert.equal((await first).statusCode, 200)
})

test('an upload that is cut off half-way leaves nothing', async (t) => {
  const { app, events, files, status } = await setup(t)
  const before = files()
  await app.listen({ port: 0, host: '127.0.0.1' })
  const image = sampleImage({ key, files: { 'big.bin': randomBytes(500_000) } })
  const request = http.request({
    port: (app.server.address() as AddressInfo).port,
    path: '/api/ota/upload',
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-length': image.length },
  })
  request.on('error', () => {})
  const half = Promise.withResolvers<void>()
  const failed = Promise.withResolvers<void>()
  events.on('ota', ({ progress, status: now }) => {
    if (progress > 10) half.resolve()
    if (now === 'failed') failed.resolve()
  })
  request.write(image.subarray(0, 250_000))
  await half.promise
  request.destroy()
  await failed.promise
  assert.deepEqual(files(), before)
  assert.equal((await status()).in_progress, false)
})

test('an update that fails is over, also where the disk lets nothing be removed', async (t) => {
  const { slots, status, upload } = await setup(t)
  // A folder in its place can be neither written to nor removed as a file.
  mkdirSync(slots.incoming)
  const reply = await upload(good())
  assert.equal(reply.statusCode, 500)
  assert.match(reply.json().error, /^update: EISDIR/)
  const { in_progress, status: now } = await status()
  assert.deepEqual([in_progress, now], [false, 'failed'])
  rmdirSync(slots.incoming)
  assert.equal((await upload(good())).statusCode, 200)
})

test('without the launcher an image is checked, and installed nowhere', async (t) => {
  const { files, upload } = await setup(t, { updates: { slot: undefined } })
  const before = files()
  assert.equal((await upload(changed(-20))).statusCode, 400)
  const reply = await upload(good())
  assert.equal(reply.statusCode, 500)
  assert.match(reply.json().error, /started without the launcher/)
  assert.deepEqual(files(), before)
})

test('a firmware update keeps the box awake and is in the snapshot of a new dashboard', async (t) => {
  const { box, upload } = await setup(t)
  await upload(good())
  assert.equal(box.snapshot().ota.status, 'rebooting')
})

test('the restart after an update waits for the adhan, and for a paused one not for ever', async (t) => {
  for (const isPaused of [false, true]) {
    const { audio, clock, post, restarts, settled, upload } = await setup(t)
    await post('/prayer/test-adhan')
    if (isPaused) await post('/playback/pause')
    assert.equal((await upload(good())).statusCode, 200)
    clock.advance(4 * 60_000)
    assert.deepEqual(restarts, [])
    if (!isPaused) audio.end()
    await settled()
    clock.advance(isPaused ? 15 * 60_000 : 1_000)
    assert.deepEqual(restarts, ['launcher'])
  }
})

/** Installed, stopped, and started once by the launcher. */
async function onTrial(t: TestContext, image = good(), updates: FixtureOptions['updates'] = {}) {
  const first = await setup(t)
  await first.post('/settings/max-volume', { max_volume: 60 })
  assert.equal((await first.upload(image)).statusCode, 200)
  await first.close()
  const storeFile = path.join(first.dataDir, 'player.db')
  assert.equal(bootOnce(first.slots, storeFile), 'a')
  const { dataDir } = first
  const second = await setup(t, { dataDir, updates: { slot: 'a', ...updates } })
  return { ...second, storeFile }
}

test('a new version is pending_confirm until it has been up and well for a while, then success', async (t) => {
  const { clock, otaEvents, restarts, settled, slots, status } = await onTrial(t)
  const pending = await status()
  assert.deepEqual(
    [pending.status, pending.in_progress, pending.mode],
    ['pending_confirm', true, 'upload'],
  )
  assert.ok(existsSync(slots.snapshot))
  clock.advance(30_000)
  await settled()
  assert.equal((await status()).status, 'success')
  assert.deepEqual(otaEvents(), ['success'])
  assert.equal(slots.readRecord().active, 'a')
  assert.ok(!existsSync(slots.snapshot))
  assert.deepEqual(restarts, [])
})

test('a health check that fails rolls back, and the state is as the version before left it', async (t) => {
  const trial = await onTrial(t, good(), { whyUnreachable: async () => 'it does not answer' })
  await trial.post('/settings/max-volume', { max_volume: 10 })
  await trial.post('/radio/stations', { name: 'new', url: 'http://radio.example/' })
  trial.clock.advance(30_000)
  await trial.settled()
  assert.deepEqual(trial.restarts, ['launcher'])
  await trial.close()
  assert.equal(bootOnce(trial.slots, trial.storeFile), 'factory')
  const back = await setup(t, { dataDir: trial.dataDir })
  const told = await back.status()
  assert.deepEqual([told.status, told.in_progress], ['rolled_back', false])
  assert.match(told.error, /0\.1\.0 was rolled back: it does not answer/)
  assert.equal((await back.get('/settings')).json().max_volume, 60)
  assert.deepEqual((await back.get('/radio/stations')).json().stations, [])
})

test('an update that could not be started, since the disk takes nothing, is told and waits', async (t) => {
  const first = await setup(t)
  assert.equal((await first.upload(good())).statusCode, 200)
  await first.close()
  const { dataDir } = first
  const still = await setup(t, { dataDir, updates: { slot: 'factory' } })
  const told = await still.status()
  assert.deepEqual([told.status, told.in_progress, told.mode], ['failed', false, 'idle'])
  assert.match(told.error, /^0\.1\.0 was not started: the disk is full or read-only/)
})

test('POST /reset is refused while an update proves itself: a roll-back would bring the old state back', async (t) => {
  const { post } = await onTrial(t)
  const reply = await post('/reset')
  assert.equal(reply.statusCode, 400)
  assert.match(reply.json().error, /^reset: an update is under way/)
})

test('POST /reset keeps the version that was installed', async (t) => {
  const { clock, post, settled, slots } = await onTrial(t)
  clock.advance(30_000)
  await settled()
  assert.equal((await post('/reset')).statusCode, 200)
  assert.equal(slots.readRecord().active, 'a')
  assert.ok(slots.isWhole('a'))
})

test('a signed manifest may add a key, which counts once its version has proven itself', async (t) => {
  const next = updateKey()
  const adds_key = next.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  const trial = await onTrial(t, sampleImage({ key, manifest: { adds_key } }))
  const later = sampleImage({ key: next.privateKey, version: '0.2.0' })
  assert.match((await trial.upload(later)).json().error, /^update: one is already under way/)
  trial.clock.advance(30_000)
  await trial.settled()
  const reply = await trial.upload(later)
  assert.equal(reply.statusCode, 200, reply.body)
  assert.deepEqual(trial.slots.readRecord().pending?.slot, 'b')
})

test('POST /ota/pull refuses an address that is no public https one, naming url', async (t) => {
  const { app, status } = await setup(t)
  let sender = 1
  for (const url of [
    ...['http://updates.example/x', 'ftp://updates.example/x', 'https://u:p@updates.example/x'],
    ...['updates.example', 'https://updates.example/\nx', 'https:\\\\updates.example', ''],
  ]) {
    const reply = await app.inject({
      method: 'POST',
      url: '/api/ota/pull',
      remoteAddress: `10.0.1.${sender++}`,
      headers: { authorization: `Bearer ${TOKEN}` },
      payload: { url },
    })
    assert.equal(reply.statusCode, 400, url)
    assert.match(reply.json().error, /^url: /, url)
  }
  assert.equal((await status()).status, 'idle')
})

test('POST /ota/pull lets the server go when its image is refused', async (t) => {
  const body = new PassThrough()
  const open = async () => body
  const { files, next, post, status } = await setup(t, { updates: { source: { open } } })
  const before = files()
  await post('/ota/pull', { url: 'https://updates.example/player.img' })
  const letGo = new Promise((resolve) => body.on('close', resolve))
  const over = Promise.all([next('ota'), letGo])
  body.write(sampleImage({ key: updateKey().privateKey }))
  await over
  const { status: now, error } = await status()
  assert.deepEqual([now, error], ['failed', 'image: is not signed by a trusted key'])
  assert.deepEqual(files(), before)
})

test('POST /ota/pull: a server that only drips is given up, and another may begin', async (t) => {
  const image = sampleImage({ key, files: { 'big.bin': randomBytes(100_000) } })
  const box = await setup(t, {
    updates: {
      source: {
        async open() {
          return drip()
        },
      },
    },
  })
  async function* drip() {
    for (let start = 0; start < 3_000; start += 1_000) {
      yield image.subarray(start, start + 1_000)
      box.clock.advance(10_000)
    }
    await new Promise(() => {})
  }
  const failed = new Promise<string>((resolve) =>
    box.events.on('ota', ({ status, error }) => status === 'failed' && resolve(error)),
  )
  await box.post('/ota/pull', { url: 'https://updates.example/player.img' })
  assert.equal(await failed, 'image: was cut off: next to nothing came for 30 s')
  assert.equal((await box.upload(image)).statusCode, 200)
})

test('POST /ota/pull from a server that cannot be reached is 400 and says why', async (t) => {
  const { post, status } = await setup(t)
  const reply = await post('/ota/pull', { url: 'https://updates.example/player.img' })
  assert.equal(reply.statusCode, 400)
  assert.equal(reply.json().error, 'url: there is no network here')
  assert.equal((await status()).in_progress, false)
})

test('POST /ota/pull answers when the server begins to send, and installs what comes', async (t) => {
  const body = new PassThrough()
  const asked: string[] = []
  const open = async (url: string) => {
    asked.push(url)
    return body
  }
  const { events, otaEvents, post, slots } = await setup(t, { updates: { source: { open } } })
  const reply = await post('/ota/pull', { url: 'https://updates.example/player.img' })
  assert.equal(reply.statusCode, 200, reply.body)
  assert.deepEqual(
    [reply.json().mode, reply.json().status, reply.json().success],
    ['pull', 'downloading', true],
  )
  const done = Promise.withResolvers<void>()
  events.on('ota', ({ status }) => status === 'rebooting' && done.resolve())
  body.end(good())
  await done.promise
  assert.deepEqual(asked, ['https://updates.example/player.img'])
  assert.deepEqual(otaEvents(), ['downloading', 'verifying', 'installing', 'rebooting'])
  assert.equal(slots.readRecord().pending?.mode, 'pull')
})
