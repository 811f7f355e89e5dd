import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, statfs } from 'node:fs/promises'
import path from 'node:path'
import { AppError } from '@manara/kit/errors'
import type { Manifest } from '@manara/player-contract/firmware'
import type { Image } from './read-image.ts'

/**
 * Left for the box itself: its state, the copy of it that the new version is tried with, and what
 * files take beyond their bytes. A disk that an update has filled would keep nothing any more.
 */
const RESERVE = 64 * 2 ** 20

/** Streams the archive to disk; more or less than the signed size throws. */
export async function receiveImage(
  { manifest, payload }: Image,
  file: string,
  onProgress: (share: number) => void,
): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true })
  await needRoom(path.dirname(file), manifest.size + manifest.unpacked_size + RESERVE)
  const handle = await open(file, 'w', 0o600)
  try {
    let received = 0
    for await (const chunk of payload()) {
      received += chunk.length
      if (received > manifest.size) throw new Error('is longer than its manifest says')
      await handle.writeFile(chunk)
      onProgress(received / manifest.size)
    }
    if (received < manifest.size) throw new Error('was cut off')
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function needRoom(folder: string, bytes: number) {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize >= bytes) return
  throw new AppError(500, `update: needs ${Math.ceil(bytes / 2 ** 20)} MiB of free disk`)
}

/** Reads back what the disk has kept, which is what will be unpacked. */
export async function verifyImage(file: string, { sha256 }: Manifest): Promise<void> {
  const digest = createHash('sha256')
  for await (const chunk of createReadStream(file)) digest.update(chunk)
  if (digest.digest('hex') !== sha256) throw new Error('does not have the digest its manifest says')
}
