import { type FileHandle, open } from 'node:fs/promises'
import path from 'node:path'
import type { Panel } from '../ports/screen.ts'
import { BYTES_A_PIXEL, type Geometry, inDepth, readGeometry } from './framebuffer/geometry.ts'
import { changedRows, placeFrame } from './framebuffer/rows.ts'
import { openTree } from './sysfs/tree.ts'

export type FramebufferOptions = {
  /** Root of the tree the kernel is read from. */
  root: string
  /** `auto` takes the smallest there is, `/dev/fbN` that one, `off` none. */
  wanted: string
}

/** Undefined without one; rejects with a reason when the one that was asked for cannot be used. */
export async function openFramebuffer(options: FramebufferOptions): Promise<Panel | undefined> {
  const { root, wanted } = options
  if (wanted === 'off') return undefined
  if (wanted !== 'auto') return openPanel(root, path.basename(wanted))
  for (const name of await bySize(root)) {
    // A container shows the framebuffers of its host without their devices; a user may lack the right.
    const panel = await openPanel(root, name).catch(() => undefined)
    if (panel) return panel
  }
  return undefined
}

/** Smallest first: beside a television the little panel is the one that was built in. */
async function bySize(root: string): Promise<string[]> {
  const tree = openTree(root)
  const names = (await tree.list('sys/class/graphics')).filter((name) => /^fb\d+$/.test(name))
  const found = await Promise.all(
    names.map(async (name) => ({ name, geometry: await readGeometry(tree, name) })),
  )
  return found
    .filter(({ geometry }) => geometry !== undefined)
    .sort((a, b) => area(a.geometry) - area(b.geometry))
    .map(({ name }) => name)
}

const area = (geometry: Geometry | undefined) => (geometry ? geometry.width * geometry.height : 0)

async function openPanel(root: string, name: string): Promise<Panel> {
  const tree = openTree(root)
  const geometry = await readGeometry(tree, name)
  if (!geometry) throw new Error(`/dev/${name} is not there`)
  const { width, height, stride, bits } = geometry
  if (!(bits in BYTES_A_PIXEL))
    throw new Error(`/dev/${name} has ${bits} bits a pixel, not 16 or 32`)
  const device = await open(tree.at(`dev/${name}`), 'r+')
  const before = Buffer.alloc(stride * height)
  const picture = Buffer.alloc(stride * height)
  // Nobody knows what was there: the first picture is written whole.
  let isKnown = false

  async function write(file: FileHandle) {
    const [from, until] = isKnown ? changedRows(before, picture, stride) : [0, height]
    picture.copy(before)
    isKnown = false
    await file.write(before, from * stride, (until - from) * stride, from * stride)
    isKnown = true
  }

  return {
    name: `/dev/${name} ${width}x${height}`,
    scale: scaleFor(geometry),
    show(frame) {
      placeFrame(inDepth(bits), frame, geometry, picture)
      return write(device)
    },
    async close() {
      picture.fill(0)
      await write(device).catch(() => undefined)
      await device.close()
    },
  }
}

// Larger pictures cost a small board more each second than they show.
const LARGEST_SCALE = 3

/** As large as fits; the shape stays, and what is left over stays dark. */
function scaleFor({ width, height }: Geometry): number {
  return Math.min(LARGEST_SCALE, width / 320, height / 240)
}
