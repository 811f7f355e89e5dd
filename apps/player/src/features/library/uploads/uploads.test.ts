import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createManualClock } from '../../../testing/manual-clock.ts'
import { type FixtureOptions, playerFixture, TOKEN } from '../../../testing/player-fixture.ts'
import { type Draft, partOf, readDraft, saveDraft } from './draft.ts'
import { createUploads, type UploadDeps } from './uploads.ts'

const MEDIA = new URL('../../../adapters/testing/media/', import.meta.url)
const MP3 = readFileSync(new URL('sweep-cbr-mono.mp3', MEDIA))
const SHA = createHash('sha256').update(MP3).digest('hex')
const PIECE = 'application/offset+octet-stream'

async function uploadingBox(t: TestContext, options: FixtureOptions = {}) {
  const box = await playerFixture(t, { files: ['Husary/001.mp3'], ...options })
  const send = (
    method: 'POST' | 'PATCH' | 'DELETE' | 'GET' | 'HEAD',
    url: string,
    headers: Record<string, string> = {},
    payload?: Buffer,
  ) =>
    box.app.inject({
      method,
      url: `/api/library/uploads${url}`,
      headers: { authorization: `Bearer ${TOKEN}`, ...headers },
      ...(payload ? { payload } : {}),
    })
  return {
    ...box,
    send,
    create: async (body: object) => box.post('/library/uploads', body),
    piece: (id: string, offset: number, bytes: Buffer, more: Record<string, string> = {}) =>
      send(
        'PATCH',
        `/${id}`,
        { 'content-type': PIECE, 'upload-offset': `${offset}`, ...more },
        bytes,
      ),
    drafts: () => {
      const folder = path.join(box.cardDir, '.manara-upload')
      return existsSync(folder) ? readdirSync(folder) : []
    },
    told: () =>
      box.seen.splice(0).flatMap(({ event, data }) => {
        const { state, offset } = data as { state: string; offset: number }
        return event === 'upload' ? [`${state} ${offset}`] : []
      }),
  }
}

/** As the service of a box makes them. */
const uploadsOf = (
  { cardDir, dataDir }: { cardDir: string; dataDir: string },
  onChange: UploadDeps['onChange'] = () => {},
  more: Partial<UploadDeps> = {},
) =>
  createUploads({
    card: { root: cardDir, whyNot: async () => undefined },
    sounds: { root: path.join(dataDir, 'sounds'), whyNot: async () => undefined },
    playable: ['mp3'],
    probe: async () => {},
    newId: () => 'ab'.repeat(12),
    now: Date.now,
    clock: createManualClock(),
    limits: { file: 2 ** 30, total: 2 ** 30 },
    onChange,
    onPlaced: () => {},
    ...more,
  })

test('a file that arrives in two pieces is on the card, in the library, and nothing is left over', async (t) => {
  const box = await uploadingBox(t)
  const created = await box.create({ path: 'Minshawi/002.mp3', size: MP3.length, sha256: SHA })
  assert.equal(created.statusCode, 201, created.body)
  const { id, offset } = created.json()
  assert.deepEqual([offset, created.headers.location], [0, `/api/library/uploads/${id}`])
  const first = await box.piece(id, 0, MP3.subarray(0, 1000))
  assert.deepEqual([first.statusCode, first.json().offset], [200, 1000])
  assert.equal(existsSync(path.join(box.cardDir, 'Minshawi')), false, 'never half a file')
  assert.equal((await box.send('HEAD', `/${id}`)).headers['upload-offset'], '1000')
  const last = await box.piece(id, 1000, MP3.subarray(1000))
  assert.deepEqual([last.statusCode, last.json().state], [200, 'done'], last.body)
  assert.deepEqual(readFileSync(path.join(box.cardDir, 'Minshawi/002.mp3')), MP3)
  assert.deepEqual(box.drafts(), [])
  assert.deepEqual(box.told(), [
    'receiving 0',
    'receiving 1000',
    `receiving ${MP3.length}`,
    `checking ${MP3.length}`,
    `done ${MP3.length}`,
  ])
  await box.post('/library/rescan')
  const { surahs } = (await box.get('/library/surahs?reciter=Minshawi')).json()
  assert.equal(surahs[1].available, true)
  assert.equal((await box.send('GET', `/${id}`)).statusCode, 404)
})

test('a tus client creates by headers and is answered without bodies', async (t) => {
  const box = await uploadingBox(t)
  const b64 = (text: string) => Buffer.from(text).toString('base64')
  const tus = { 'tus-resumable': '1.0.0' }
  const created = await box.send('POST', '', {
    ...tus,
    'upload-length': `${MP3.length}`,
    'upload-metadata': `path ${b64('عبد الباسط/001.mp3')},sha256 ${b64(SHA)}`,
  })
  assert.equal(created.statusCode, 201, created.body)
  const id = String(created.headers.location).split('/').at(-1) ?? ''
  const done = await box.piece(id, 0, MP3, tus)
  assert.deepEqual([done.statusCode, done.body], [204, ''])
  assert.equal(done.headers['upload-offset'], `${MP3.length}`)
  assert.ok(existsSync(path.join(box.cardDir, 'عبد الباسط/001.mp3')))
})

test('after a restart the upload goes on where it was, and what was not counted is cut off', async (t) => {
  const box = await uploadingBox(t)
  const { id } = (await box.create({ path: 'a.mp3', size: MP3.length, sha256: SHA })).json()
  await box.piece(id, 0, MP3.subarray(0, 5000))
  // What a power cut may leave behind: bytes on disk that nobody has acknowledged.
  const part = path.join(box.cardDir, '.manara-upload', `${id}.part`)
  writeFileSync(part, Buffer.alloc(3000, 0xff), { flag: 'a' })
  const again = uploadsOf(box)
  assert.equal((await again.show(id)).offset, 5000)
  async function* rest() {
    yield MP3.subarray(5000)
  }
  assert.equal((await again.append(id, 5000, rest())).state, 'done')
  assert.deepEqual(readFileSync(path.join(box.cardDir, 'a.mp3')), MP3)
})

test('what a power cut has left whole and unchecked is checked and placed by itself', async (t) => {
  const box = await uploadingBox(t)
  for (const [name, sha256] of [
    ['whole.mp3', SHA],
    ['spoilt.mp3', '0'.repeat(64)],
  ] as const) {
    const { id } = (await box.create({ path: name, size: MP3.length, sha256 })).json()
    const folder = path.join(box.cardDir, '.manara-upload')
    const draft = (await readDraft(folder, id)) as Draft
    writeFileSync(partOf(draft), MP3)
    await saveDraft({ ...draft, offset: MP3.length })
  }
  box.told()
  const over = new Promise<void>((resolve) => {
    let ends = 0
    box.events.on('upload', ({ state }) => {
      if (state === 'done' || state === 'failed') ends += 1
      if (ends === 2) resolve()
    })
  })
  box.events.emit('storage', { present: true })
  await over
  assert.deepEqual(readFileSync(path.join(box.cardDir, 'whole.mp3')), MP3)
  assert.equal(existsSync(path.join(box.cardDir, 'spoilt.mp3')), false)
  assert.deepEqual(box.drafts(), [])
})

/** The first 2,000 bytes of the file are here, and the connection is still open. */
async function sentInPart(box: Awaited<ReturnType<typeof uploadingBox>>, id: string) {
  await box.app.listen({ host: '127.0.0.1', port: 0 })
  const address = box.app.server.address() as { port: number }
  const socket = connect(address.port, '127.0.0.1')
  socket.write(
    `PATCH /api/library/uploads/${id} HTTP/1.1\r\nhost: localhost:${address.port}\r\n` +
      `authorization: Bearer ${TOKEN}\r\ncontent-type: ${PIECE}\r\nupload-offset: 0\r\n` +
      `content-length: ${MP3.length}\r\n\r\n`,
  )
  socket.write(MP3.subarray(0, 2000))
  const part = path.join(box.cardDir, '.manara-upload', `${id}.part`)
  while (!existsSync(part) || statSync(part).size < 2000) await setImmediate()
  return socket
}

test('a connection that breaks off keeps what has arrived', async (t) => {
  const box = await uploadingBox(t)
  const { id } = (await box.create({ path: 'a.mp3', size: MP3.length })).json()
  const arrived = new Promise<void>((resolve) => {
    box.events.on('upload', ({ offset }) => offset === 2000 && resolve())
  })
  const socket = await sentInPart(box, id)
  socket.destroy()
  await arrived
  assert.equal((await box.send('GET', `/${id}`)).json().offset, 2000)
  let rest = await box.piece(id, 2000, MP3.subarray(2000))
  // The box may still be at the end of the connection that broke.
  while (/another request is sending it/.test(rest.body))
    rest = await box.piece(id, 2000, MP3.subarray(2000))
  assert.equal(rest.json().state, 'done', rest.body)
})

test('a phone that left the network without a word goes on when it is back', async (t) => {
  const box = await uploadingBox(t)
  const { id } = (await box.create({ path: 'a.mp3', size: MP3.length })).json()
  const socket = await sentInPart(box, id)
  t.after(() => socket.destroy())
  const second = await box.piece(id, 0, MP3)
  assert.deepEqual(
    [second.statusCode, second.json().error],
    [409, 'upload: another request is sending it'],
  )
  let answer = ''
  socket.setEncoding('utf8').on('data', (text) => {
    answer += text
  })
  while (!answer.includes('}')) {
    box.clock.advance(1_000)
    await setImmediate()
  }
  assert.match(answer, /^HTTP\/1.1 409 [\s\S]*upload: nothing came for 10 s/)
  assert.equal((await box.send('GET', `/${id}`)).json().offset, 2000)
  const rest = await box.piece(id, 2000, MP3.subarray(2000))
  assert.equal(rest.json().state, 'done', rest.body)
})

const NOT_KEPT: [what: string, body: object, bytes: Buffer, error: RegExp][] = [
  ['another digest', { sha256: 'ab'.repeat(32) }, MP3, /^sha256: is not that of the file/],
  [
    'a web page',
    {},
    Buffer.from('<html>'.repeat(999)),
    /^path: cannot be played: not a sound file/,
  ],
  ['noise', {}, Buffer.alloc(9999, 0x55), /^path: cannot be played/],
]
for (const [what, body, bytes, error] of NOT_KEPT)
  test(`${what} is a 400, and nothing of it stays on the card`, async (t) => {
    const box = await uploadingBox(t)
    const { id } = (await box.create({ path: 'X/1.mp3', size: bytes.length, ...body })).json()
    const reply = await box.piece(id, 0, bytes)
    assert.equal(reply.statusCode, 400, reply.body)
    assert.match(reply.json().error, error)
    assert.deepEqual([box.drafts(), existsSync(path.join(box.cardDir, 'X'))], [[], false])
    assert.match(box.told().at(-1) ?? '', /^failed/)
  })

test('DELETE cancels, and only then may the announced room be taken by others', async (t) => {
  const box = await uploadingBox(t, { uploadLimits: { file: 1000, total: 1500 } })
  const { id } = (await box.create({ path: 'a.mp3', size: 900 })).json()
  await box.piece(id, 0, Buffer.alloc(500))
  const full = await box.create({ path: 'b.mp3', size: 900 })
  assert.match(full.json().error, /^size: with the uploads under way/)
  const reply = await box.send('DELETE', `/${id}`)
  assert.deepEqual([reply.statusCode, reply.json().state], [200, 'cancelled'])
  assert.deepEqual(box.drafts(), [])
  assert.equal((await box.create({ path: 'b.mp3', size: 900 })).statusCode, 201)
  assert.equal((await box.send('DELETE', `/${id}`)).statusCode, 404)
})

test('what is cancelled with its last bytes is not put in its place, and its name is free', async (t) => {
  const box = await uploadingBox(t)
  const told: string[] = []
  const uploads = uploadsOf(box, ({ state }) => told.push(state))
  const wanted = { path: 'a.mp3', size: MP3.length }
  const { id } = await uploads.create(wanted)
  async function* whole() {
    yield MP3
    await uploads.cancel(id)
  }
  await assert.rejects(uploads.append(id, 0, whole()), /was cancelled/)
  assert.deepEqual([told, box.drafts()], [['receiving', 'cancelled'], []])
  assert.equal((await uploads.create(wanted)).offset, 0)
})

test('a piece at the wrong place, of another kind or beyond the end is refused', async (t) => {
  const box = await uploadingBox(t)
  const { id } = (await box.create({ path: 'a.mp3', size: 100 })).json()
  const wrong = await box.piece(id, 7, Buffer.alloc(5))
  assert.deepEqual(
    [wrong.statusCode, /^Upload-Offset: is 7, but 0/.test(wrong.json().error)],
    [409, true],
  )
  const typed = await box.send(
    'PATCH',
    `/${id}`,
    { 'content-type': 'text/plain', 'upload-offset': '0' },
    Buffer.alloc(5),
  )
  assert.match(typed.json().error, /^Content-Type/)
  const beyond = await box.piece(id, 0, Buffer.alloc(101))
  assert.deepEqual([beyond.statusCode, /^Upload-Length/.test(beyond.json().error)], [400, true])
  assert.match((await box.piece(id, -1, Buffer.alloc(1))).json().error, /^Upload-Offset/)
  assert.equal((await box.piece('0'.repeat(24), 0, Buffer.alloc(1))).statusCode, 404)
  assert.equal((await box.piece('..%2f..%2fetc', 0, Buffer.alloc(1))).statusCode, 404)
})

test('a file is replaced only when that was said', async (t) => {
  const box = await uploadingBox(t)
  const body = { path: 'Husary/001.mp3', size: MP3.length }
  const taken = await box.create(body)
  assert.deepEqual([taken.statusCode, /^path: is taken/.test(taken.json().error)], [409, true])
  const { id } = (await box.create({ ...body, overwrite: true })).json()
  assert.equal((await box.piece(id, 0, MP3)).statusCode, 200)
  assert.deepEqual(readFileSync(path.join(box.cardDir, 'Husary/001.mp3')), MP3)
})

test('a card that is pulled out while a piece arrives is told, and what was counted stays on it', async (t) => {
  const box = await uploadingBox(t)
  const { cardDir } = box
  const away = `${cardDir}.away`
  const { id } = (await box.create({ path: 'Husary/002.mp3', size: MP3.length })).json()
  await box.piece(id, 0, MP3.subarray(0, 1000))
  async function* pulledOut() {
    yield MP3.subarray(1000, 2000)
    renameSync(cardDir, away)
    mkdirSync(cardDir)
    yield MP3.subarray(2000)
  }
  const reply = await box.app.inject({
    method: 'PATCH',
    url: `/api/library/uploads/${id}`,
    headers: {
      ...{ authorization: `Bearer ${TOKEN}`, 'content-type': PIECE },
      'upload-offset': '1000',
    },
    payload: Readable.from(pulledOut()),
  })
  assert.equal(reply.statusCode, 409, reply.body)
  assert.match(reply.json().error, /^upload: the card /)
  rmSync(cardDir, { recursive: true })
  renameSync(away, cardDir)
  assert.equal((await box.get(`/library/uploads/${id}`)).json().offset, 1000)
  assert.equal((await box.piece(id, 1000, MP3.subarray(1000))).json().state, 'done')
})

test('a card that is out for a moment is told like one that is out, by announcing and by sending', async (t) => {
  const box = await uploadingBox(t)
  const { cardDir } = box
  const away = `${cardDir}.away`
  const isOut = () => !existsSync(cardDir)
  const pullOut = () => renameSync(cardDir, away)
  let pulls = true
  const uploads = uploadsOf(box, () => {}, {
    card: {
      root: cardDir,
      async whyNot() {
        if (isOut()) renameSync(away, cardDir)
        return undefined
      },
    },
    newId() {
      if (pulls) pullOut()
      return 'ab'.repeat(12)
    },
  })
  const wasOut = { status: 409, message: /^upload: the card was out for a moment/ }
  const wanted = { path: 'a.mp3', size: MP3.length }
  await assert.rejects(uploads.create(wanted), wasOut)
  pulls = false
  const { id } = await uploads.create(wanted)
  async function* pulledOut() {
    yield MP3
    pullOut()
  }
  await assert.rejects(uploads.append(id, 0, pulledOut()), wasOut)
  assert.equal((await uploads.show(id)).offset, 0)
})

test('what a pulled card has left of a record or of an upload without one goes with the next upload', async (t) => {
  const box = await uploadingBox(t)
  const kept = (await box.create({ path: 'a.mp3', size: MP3.length })).json().id
  await box.piece(kept, 0, MP3.subarray(0, 1000))
  const folder = path.join(box.cardDir, '.manara-upload')
  const gone = 'cd'.repeat(12)
  for (const name of [`${kept}.json.new`, `${gone}.json.new`, `${gone}.part`, 'of its owner.txt'])
    writeFileSync(path.join(folder, name), '{')
  const next = (await box.create({ path: 'b.mp3', size: MP3.length })).json().id
  assert.equal((await box.piece(kept, 1000, MP3.subarray(1000))).json().state, 'done')
  assert.equal((await box.piece(next, 0, MP3)).json().state, 'done')
  assert.deepEqual(box.drafts(), ['of its owner.txt'])
})

test('what is sent to the box while it is emptied is told, and is no failure of the box', async (t) => {
  const box = await uploadingBox(t)
  const sounds = path.join(box.dataDir, 'sounds')
  const { id } = (await box.create({ path: 'data:fajr.mp3', size: MP3.length })).json()
  async function* meanwhile() {
    yield MP3.subarray(0, 1000)
    rmSync(sounds, { recursive: true })
  }
  const reply = await box.app.inject({
    method: 'PATCH',
    url: `/api/library/uploads/${id}`,
    headers: {
      ...{ authorization: `Bearer ${TOKEN}`, 'content-type': PIECE },
      'upload-offset': '0',
    },
    payload: Readable.from(meanwhile()),
  })
  assert.deepEqual(
    [reply.statusCode, reply.json().error],
    [409, 'upload: the box was emptied meanwhile: send it anew'],
  )
})

test('a piece that comes again while the last one ends finds nothing of what has been', async (t) => {
  const box = await uploadingBox(t)
  const uploads = uploadsOf(box)
  const { id } = await uploads.create({ path: 'a.mp3', size: MP3.length })
  await uploads.append(id, 0, Readable.from([MP3.subarray(0, 1000)]))
  const record = path.join(box.cardDir, '.manara-upload', `${id}.json`)
  const asItWas = readFileSync(record)
  const begun = Promise.withResolvers<void>()
  const isToEnd = Promise.withResolvers<void>()
  async function* rest() {
    begun.resolve()
    await isToEnd.promise
    yield MP3.subarray(1000)
  }
  const last = uploads.append(id, 1000, rest())
  await begun.promise
  // A pipe keeps whoever reads it until somebody writes.
  rmSync(record)
  execFileSync('mkfifo', [record])
  const pipe = openSync(record, constants.O_RDWR)
  const again = uploads.append(id, 1000, Readable.from([MP3.subarray(1000)]))
  again.catch(() => {})
  isToEnd.resolve()
  assert.equal((await last).state, 'done')
  writeSync(pipe, asItWas)
  closeSync(pipe)
  await assert.rejects(again, { status: 409, message: /another request/ })
  assert.deepEqual(box.drafts(), [])
})

test('a name is taken and a folder is there however their letters are spelled', async (t) => {
  const here = 'Qāriʾ é'.normalize('NFD')
  const sent = here.normalize('NFC')
  const box = await uploadingBox(t, { files: [`${here}/001.mp3`] })
  const taken = await box.create({ path: `${sent}/001.mp3`, size: MP3.length })
  assert.equal(taken.statusCode, 409)
  const send = async (name: string, overwrite: boolean) => {
    const body = { path: `${sent}/${name}`, size: MP3.length, overwrite }
    const { id } = (await box.create(body)).json()
    assert.equal((await box.piece(id, 0, MP3)).json().state, 'done')
  }
  await send('002.mp3', false)
  await send('001.mp3', true)
  const names = readdirSync(box.cardDir).filter((name) => !name.startsWith('.'))
  assert.deepEqual(names, [here])
  assert.deepEqual(readdirSync(path.join(box.cardDir, here)).toSorted(), ['001.mp3', '002.mp3'])
  assert.deepEqual(readFileSync(path.join(box.cardDir, here, '001.mp3')), MP3)
})

test('of many that are announced at once no more are taken than the limits allow', async (t) => {
  const box = await uploadingBox(t)
  const many = Array.from({ length: 20 }, (_, index) =>
    box.create({ path: `Husary/1${index}.mp3`, size: 10 }),
  )
  const codes = (await Promise.all(many)).map(({ statusCode }) => statusCode)
  assert.deepEqual(codes.toSorted(), [...Array(16).fill(201), ...Array(4).fill(409)])
  const small = await uploadingBox(t, { uploadLimits: { file: 100, total: 100 } })
  const two = ['Husary/002.mp3', 'Husary/003.mp3'].map((path) => small.create({ path, size: 60 }))
  assert.deepEqual(
    (await Promise.all(two)).map(({ statusCode }) => statusCode).toSorted(),
    [201, 400],
  )
})

test('data: keeps a sound in the box, where the adhan finds it', async (t) => {
  const box = await uploadingBox(t)
  const { id } = (await box.create({ path: 'data:fajr.mp3', size: MP3.length })).json()
  assert.equal((await box.piece(id, 0, MP3)).statusCode, 200)
  const reply = await box.post('/prayer/config', { adhan: { path: 'data:fajr.mp3' } })
  assert.equal(reply.statusCode, 200, reply.body)
})

test('a link on the card leads nowhere', async (t) => {
  const box = await uploadingBox(t)
  const outside = path.join(box.dataDir, 'outside')
  mkdirSync(outside)
  symlinkSync(outside, path.join(box.cardDir, 'Way'))
  const { id } = (await box.create({ path: 'Way/out/1.mp3', size: MP3.length })).json()
  const reply = await box.piece(id, 0, MP3)
  assert.deepEqual([reply.statusCode, /leads out of the card/.test(reply.body)], [400, true])
  assert.deepEqual(readdirSync(outside), [])
})

test('GET /library/uploads tells how much room there is; the token is needed for the rest', async (t) => {
  const box = await uploadingBox(t)
  const { writable, free_bytes, total_bytes, uploads } = (await box.get('/library/uploads')).json()
  assert.deepEqual(
    [writable, free_bytes > 0, free_bytes <= total_bytes, uploads],
    [true, true, true, []],
  )
  for (const method of ['POST', 'PATCH', 'DELETE'] as const) {
    const url = `/api/library/uploads${method === 'POST' ? '' : `/${'0'.repeat(24)}`}`
    assert.equal((await box.app.inject({ method, url })).statusCode, 401)
  }
})

test('a card that cannot be written refuses before a byte is sent, and says why', async () => {
  // Nobody can make a folder there, whoever they are.
  const nowhere = { root: '/proc/self', whyNot: async () => undefined }
  const uploads = createUploads({
    ...{ card: nowhere, sounds: nowhere, playable: ['mp3'], probe: async () => {} },
    ...{ newId: () => '', now: Date.now, limits: { file: 100, total: 100 } },
    ...{ clock: createManualClock(), onChange: () => {}, onPlaced: () => {} },
  })
  const { writable, reason } = await uploads.list()
  assert.deepEqual([writable, /^the card /.test(reason ?? '')], [false, true])
  await assert.rejects(uploads.create({ path: 'a.mp3', size: 1 }), {
    status: 409,
    message: /^path: the card/,
  })
})

test('without a card nothing is taken', async (t) => {
  const box = await uploadingBox(t, { files: [] })
  assert.equal((await box.get('/library/uploads')).json().reason, 'the card is not in')
  assert.match(
    (await box.create({ path: 'a.mp3', size: 1 })).json().error,
    /^path: the card is not in/,
  )
})

const REFUSED: [body: object, error: RegExp][] = [
  [{ path: '../a.mp3', size: 1 }, /^path: must not contain \.\./],
  [{ path: '/a.mp3', size: 1 }, /^path: /],
  [{ path: 'a/%2e%2e/b.mp3', size: 1 }, /^path: /],
  [{ path: 'a.exe', size: 1 }, /^path: must end in/],
  [{ path: '.manara-upload/a.mp3', size: 1 }, /^path: must not name a hidden/],
  [{ path: 'ab:c.mp3', size: 1 }, /^path: must not contain </],
  [{ path: 'a /b.mp3', size: 1 }, /^path: must have no name that ends/],
  [{ path: `${'ا'.repeat(200)}.mp3`, size: 1 }, /^path: must have no name longer/],
  [{ path: 'a/b/c/d/e/f/g/h/i.mp3', size: 1 }, /^path: must not be deeper/],
  [{ path: 'data:a/b.mp3', size: 1 }, /^path: data: takes/],
  [{ path: 'a.mp3', size: 0 }, /^size/],
  [{ path: 'a.mp3', size: '5' }, /^size/],
  [{ path: 'a.mp3', size: 2 ** 31 }, /^size: must be at most/],
  [{ path: 'a.mp3', size: 1, sha256: 'xyz' }, /^sha256/],
  [{ path: 'a.mp3' }, /^size/],
]
for (const [body, error] of REFUSED)
  test(`POST /library/uploads refuses ${JSON.stringify(body).slice(0, 60)}`, async (t) => {
    const box = await uploadingBox(t)
    const reply = await box.create(body)
    assert.equal(reply.statusCode, 400, reply.body)
    assert.match(reply.json().error, error)
    assert.deepEqual(box.drafts(), [])
  })
