import { createReadStream } from 'node:fs'
import { mkdir, open, symlink } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { BLOCK, padding } from '@manara/kit/tar'
import { decodeEntry, type ImageEntry } from './image-entry.ts'

// Three times what an image that brings its own Node holds: empty files and links fill a disk, too.
const MOST_ENTRIES = 25_000
// More than any tool that makes archives puts behind its end.
const MOST_PADDING = 2 ** 20

/** Unpacks a verified archive into an empty folder; everything is on disk when it resolves. */
export async function unpackImage(
  archive: string,
  folder: string,
  most: number,
  onProgress: (share: number) => void,
): Promise<void> {
  const folders = new Set<string>()
  const links = new Set<string>()
  let unpacked = 0

  async function makeFolder(name: string) {
    if (folders.has(name)) return
    await mkdir(name, { recursive: true })
    for (let up = name; up.length >= folder.length; up = path.dirname(up)) folders.add(up)
  }

  async function place(entry: ImageEntry, bytes: Bytes) {
    refuseBehindLink(entry.path, links)
    const target = path.join(folder, entry.path)
    await makeFolder(path.dirname(target))
    if (entry.type === 'link') {
      links.add(entry.path)
      return symlink(entry.target, target)
    }
    unpacked += entry.size
    if (unpacked > most) throw new Error('unpacks to more than its manifest says')
    // wx: nothing is written twice, so nothing is written through a link.
    const handle = await open(target, 'wx', entry.executable ? 0o755 : 0o644)
    try {
      for await (const chunk of bytes.take(entry.size)) await handle.writeFile(chunk)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await bytes.all(padding(entry.size))
    onProgress(unpacked / most)
  }

  await makeFolder(folder)
  await pipeline(createReadStream(archive), createZstdDecompress(), async (source) => {
    const bytes = byteSource(source)
    for (let entries = 1; ; entries += 1) {
      const entry = decodeEntry(await bytes.all(BLOCK))
      if (!entry) break
      if (entries > MOST_ENTRIES) throw new Error(`holds more than ${MOST_ENTRIES} files and links`)
      await place(entry, bytes)
    }
    await bytes.drain()
  })
  for (const name of folders) await syncFolder(name)
}

/** What is put there would lie wherever the link leads, and its own links count from there. */
function refuseBehindLink(name: string, links: ReadonlySet<string>) {
  for (let up = path.dirname(name); up !== '.'; up = path.dirname(up)) {
    if (links.has(up)) throw new Error(`the archive leaves its folder: ${name} lies behind a link`)
  }
}

export async function syncFolder(name: string) {
  const handle = await open(name, 'r')
  await handle.sync()
  await handle.close()
}

type Bytes = ReturnType<typeof byteSource>

/** Bytes by count, whatever pieces they come in. */
function byteSource(source: AsyncIterable<Buffer>) {
  const chunks = source[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)

  async function* take(count: number) {
    for (let left = count; left > 0; ) {
      if (held.length === 0) {
        const { value, done } = await chunks.next()
        if (done) throw new Error('the archive ends too early')
        held = value
      }
      const piece = held.subarray(0, left)
      held = held.subarray(piece.length)
      left -= piece.length
      yield piece
    }
  }

  return {
    take,
    async all(count: number): Promise<Buffer> {
      const pieces: Buffer[] = []
      for await (const piece of take(count)) pieces.push(piece)
      return Buffer.concat(pieces)
    },
    /** What follows the end block is padding; unread it would hold the pipeline open. */
    async drain() {
      for (let left = MOST_PADDING - held.length; left >= 0; ) {
        const { value, done } = await chunks.next()
        if (done) return
        left -= value.length
      }
      throw new Error('goes on after its end')
    },
  }
}
