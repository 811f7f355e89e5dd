import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { type Draft, partOf, readDraft, saveDraft } from './draft.ts'
import { receivePart } from './receive-part.ts'

const ID = 'ab'.repeat(12)
const PIECE = 50_000
const FILE = Buffer.from(Uint32Array.from({ length: PIECE }, (_, i) => i).buffer)
const DEPS = { now: () => 0, onProgress: () => {} }

async function* piecesFrom(offset: number) {
  for (let at = offset; at < FILE.length; at += PIECE) yield FILE.subarray(at, at + PIECE)
}

const { RECEIVE_INTO } = process.env
if (RECEIVE_INTO) await receiveAsFarAsItFits(RECEIVE_INTO)
else
  test('what a full card has taken of a piece is not counted: later it goes on without a hole', async (t) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'upload-'))
    t.after(() => rmSync(folder, { recursive: true }))
    // No file may grow beyond 120 blocks of 512 bytes: a write is cut short there, as on a full card.
    const command = 'ulimit -f 120; exec "$0" "$@"'
    execFileSync('sh', ['-c', command, process.execPath, import.meta.filename], {
      env: { RECEIVE_INTO: folder },
    })
    const draft = await readDraft(folder, ID)
    assert.equal(draft?.offset, PIECE)
    await receivePart(DEPS, draft, piecesFrom(draft.offset))
    assert.ok(readFileSync(partOf(draft)).equals(FILE))
  })

async function receiveAsFarAsItFits(folder: string) {
  const about = { path: 'Husary/001.mp3', size: FILE.length, overwrite: false, touched_at: 0 }
  const draft: Draft = { ...about, id: ID, folder, offset: 0 }
  await saveDraft(draft)
  await assert.rejects(receivePart(DEPS, draft, piecesFrom(0)), { code: 'EFBIG' })
}
