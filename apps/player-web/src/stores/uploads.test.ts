import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refused, Unreachable } from './api.ts'
import { createUploads } from './uploads.ts'

type Trouble = {
  /** Pieces whose connection breaks half-way, counted from 1. */
  breaks?: number[]
  /** The answer to the last piece is lost, and the box is checking when it is asked again. */
  losesLast?: boolean
  /** What the check of the file says. */
  problem?: string
  /** How many looks the check takes. */
  looks?: number
  /** Announcements that are not taken, each with why. */
  refusals?: Error[]
  /** When a piece has arrived. */
  onPiece?(uploads: ReturnType<typeof createUploads>): void
}

/** A box that keeps bytes and checks them, and whose connection breaks when a test says so. */
function fixture({
  breaks = [],
  losesLast = false,
  problem,
  looks = 2,
  refusals = [],
  onPiece,
}: Trouble = {}) {
  let kept = 0
  let asked = 0
  let size = 0
  let looked = 0
  let isLost = losesLast
  let isTaken = false
  const announced: object[] = []
  const shown: string[] = []
  const removed: string[] = []

  /** Checked: in its place, or gone. */
  function finish() {
    if (problem) throw new Refused(problem.startsWith('path') ? 409 : 400, problem)
    isTaken = true
    return { id: 'x', offset: kept, state: 'done' }
  }

  const uploads = createUploads(
    {
      async post(_path: string, body?: object) {
        const refusal = refusals.shift()
        if (refusal) throw refusal
        if (isTaken)
          throw new Refused(409, 'path: is taken; send overwrite true to replace the file')
        announced.push(body ?? {})
        size = (body as { size: number }).size
        kept = 0
        return { id: 'x', offset: 0, state: 'receiving' } as never
      },
      async get() {
        shown.push(uploads.list.value[0]?.state ?? '')
        if (kept < size) return { id: 'x', offset: kept, state: 'receiving' } as never
        looked += 1
        if (looked <= looks) return { id: 'x', offset: kept, state: 'checking' } as never
        if (!problem) isTaken = true
        throw new Refused(404, 'upload x not found')
      },
      async append(_path: string, bytes: Blob, offset: number) {
        asked += 1
        if (breaks.includes(asked)) {
          // Half of it has arrived when the line breaks.
          kept = offset + Math.floor(bytes.size / 2)
          throw new Unreachable('gone')
        }
        assert.equal(offset, kept)
        kept += bytes.size
        onPiece?.(uploads)
        if (kept < size) return { id: 'x', offset: kept, state: 'receiving' } as never
        if (isLost) {
          isLost = false
          throw new Unreachable('gone')
        }
        return finish() as never
      },
      async remove(path: string) {
        removed.push(path)
        return {} as never
      },
    },
    async () => {},
  )
  return { uploads, announced, shown, removed, kept: () => kept }
}

const file = (bytes: number) => new File([new Uint8Array(bytes)], '067.mp3')

test('a file goes in pieces to the folder of its reciter', async () => {
  const { uploads, announced, kept } = fixture()
  await uploads.add([file(9_000_000)], 'Husary')
  assert.deepEqual(announced, [{ path: 'Husary/067.mp3', size: 9_000_000 }])
  assert.equal(kept(), 9_000_000)
  assert.deepEqual(uploads.list.value, [
    { path: 'Husary/067.mp3', part: 1, state: 'done', reason: null },
  ])
})

test('a broken connection goes on from what the box has', async () => {
  const { uploads, kept } = fixture({ breaks: [2, 3] })
  await uploads.add([file(9_000_000)], 'Husary')
  assert.equal(kept(), 9_000_000)
  assert.equal(uploads.list.value[0]?.state, 'done')
})

test('what the box refuses is told, and the next file is still sent', async () => {
  const { uploads } = fixture()
  const refusing = createUploads(
    {
      post: () => Promise.reject(new Refused(400, 'path: is taken')),
      get: async () => ({}) as never,
      append: async () => ({}) as never,
      remove: async () => ({}) as never,
    },
    async () => {},
  )
  await refusing.add([file(10)], 'Husary')
  assert.equal(refusing.list.value[0]?.reason?.message, 'path: is taken')
  await uploads.add([file(10)], 'Husary')
  assert.equal(uploads.list.value[0]?.state, 'done')
})

test('what has arrived is not done before the box has checked it, also when its answer is lost', async () => {
  const { uploads, announced, shown } = fixture({ losesLast: true })
  await uploads.add([file(9_000_000)], 'Husary')
  assert.deepEqual(shown, ['sending', 'sending', 'sending'])
  assert.deepEqual(uploads.list.value, [
    { path: 'Husary/067.mp3', part: 1, state: 'done', reason: null },
  ])
  assert.equal(announced.length, 1, 'it is in its place: nothing is sent again')
})

test('what the box found wrong with it is told, also when its answer was lost', async () => {
  const { uploads } = fixture({ losesLast: true, problem: 'sound: cannot be decoded' })
  await uploads.add([file(9_000_000)], 'Husary')
  const [{ state, reason } = assert.fail('no file')] = uploads.list.value
  assert.deepEqual([state, reason?.message], ['failed', 'sound: cannot be decoded'])
})

test('a name that somebody else took meanwhile is not this file in its place', async () => {
  const problem = 'path: is taken; send overwrite true to replace the file'
  const { uploads } = fixture({ problem })
  await uploads.add([file(10)], 'Husary')
  const [{ state, reason } = assert.fail('no file')] = uploads.list.value
  assert.deepEqual([state, reason?.message], ['failed', problem])
})

test('a box that starts anew, or is asked too often, holds up the files and fails none', async () => {
  const away = Array.from({ length: 9 }, () => new Unreachable('gone'))
  const { uploads } = fixture({ refusals: [...away, new Refused(429, 'too many')] })
  await uploads.add([file(10)], 'Husary')
  assert.equal(uploads.list.value[0]?.state, 'done')
  const broken = fixture({ breaks: [1, 2, 3, 4, 5, 6, 7, 8, 9] })
  await broken.uploads.add([file(9_000_000)], 'Husary')
  assert.equal(broken.uploads.list.value[0]?.state, 'done')
})

test('what an announcement is refused for is told at once', async () => {
  const refusals = [new Refused(409, 'path: the card is not in')]
  const { uploads, announced } = fixture({ refusals })
  await uploads.add([file(10)], 'Husary')
  assert.deepEqual([uploads.list.value[0]?.state, announced], ['failed', []])
})

test('what is called off is sent no further, takes no room on the card, and the next one goes', async () => {
  const { uploads, announced, removed, kept } = fixture({
    onPiece: ({ cancel }) => cancel('Husary/067.mp3'),
  })
  const waiting = new File([new Uint8Array(10)], '068.mp3')
  const last = new File([new Uint8Array(10)], '069.mp3')
  const done = uploads.add([file(9_000_000), waiting, last], 'Husary')
  uploads.cancel('Husary/068.mp3')
  await done
  assert.deepEqual(removed, ['/library/uploads/x'])
  assert.deepEqual(
    announced.map((one) => (one as { path: string }).path),
    ['Husary/067.mp3', 'Husary/069.mp3'],
  )
  assert.equal(kept(), 10)
  assert.deepEqual(
    uploads.list.value.map(({ path, state }) => [path, state]),
    [['Husary/069.mp3', 'done']],
  )
})

test('the same surah of two reciters is two files', async () => {
  const { uploads } = fixture()
  void uploads.add([file(10)], 'Husary')
  void uploads.add([file(10)], 'Minshawi')
  assert.deepEqual(
    uploads.list.value.map(({ path }) => path),
    ['Husary/067.mp3', 'Minshawi/067.mp3'],
  )
})
