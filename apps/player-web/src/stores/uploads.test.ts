import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refused, Unreachable } from './api.ts'
import { createUploads } from './uploads.ts'

/** A box that keeps bytes, and whose connection breaks when a test says so. */
function fixture({ breaks = [] as number[] } = {}) {
  let kept = 0
  let asked = 0
  const announced: object[] = []
  const uploads = createUploads(
    {
      async post(_path: string, body?: object) {
        announced.push(body ?? {})
        return { id: 'x', offset: 0 } as never
      },
      get: async () => ({ id: 'x', offset: kept }) as never,
      async append(_path: string, bytes: Blob, offset: number) {
        asked += 1
        if (breaks.includes(asked)) {
          // Half of it has arrived when the line breaks.
          kept = offset + Math.floor(bytes.size / 2)
          throw new Unreachable('gone')
        }
        assert.equal(offset, kept)
        kept += bytes.size
        return { id: 'x', offset: kept } as never
      },
    },
    async () => {},
  )
  return { uploads, announced, kept: () => kept }
}

const file = (bytes: number) => new File([new Uint8Array(bytes)], '067.mp3')

test('a file goes in pieces to the folder of its reciter', async () => {
  const { uploads, announced, kept } = fixture()
  await uploads.add([file(9_000_000)], 'Husary')
  assert.deepEqual(announced, [{ path: 'Husary/067.mp3', size: 9_000_000 }])
  assert.equal(kept(), 9_000_000)
  assert.deepEqual(uploads.list.value, [{ name: '067.mp3', part: 1, state: 'done', reason: '' }])
})

test('a broken connection goes on from what the box has', async () => {
  const { uploads, kept } = fixture({ breaks: [2, 3] })
  await uploads.add([file(9_000_000)], 'Husary')
  assert.equal(kept(), 9_000_000)
  assert.equal(uploads.list.value[0]?.state, 'done')
})

test('what the box refuses is told in its words, and the next file is still sent', async () => {
  const { uploads } = fixture()
  const refusing = createUploads(
    {
      post: () => Promise.reject(new Refused(400, 'path: is taken')),
      get: async () => ({}) as never,
      append: async () => ({}) as never,
    },
    async () => {},
  )
  await refusing.add([file(10)], 'Husary')
  assert.equal(refusing.list.value[0]?.reason, 'path: is taken')
  await uploads.add([file(10)], 'Husary')
  assert.equal(uploads.list.value[0]?.state, 'done')
})
