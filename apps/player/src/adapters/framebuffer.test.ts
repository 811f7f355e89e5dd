import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Frame } from '../ports/screen.ts'
import { fakeTree } from '../testing/fake-tree.ts'
import { openFramebuffer } from './framebuffer.ts'

type Glass = { size: string; bits: number; stride?: number; modes?: string; noDevice?: boolean }

/** A kernel with framebuffers whose devices are plain files, full of what was there before. */
function framebuffers(t: TestContext, glasses: Record<string, Glass>) {
  const tree = fakeTree(t)
  for (const [name, { size, bits, stride, modes, noDevice }] of Object.entries(glasses)) {
    const at = (file: string) => `sys/class/graphics/${name}/${file}`
    const [width = 0, height = 0] = size.split(',').map(Number)
    const row = stride ?? (width * bits) / 8
    tree.put({ [at('virtual_size')]: size, [at('bits_per_pixel')]: String(bits) })
    if (stride) tree.put({ [at('stride')]: String(stride) })
    if (modes) tree.put({ [at('modes')]: modes })
    mkdirSync(path.join(tree.root, 'dev'), { recursive: true })
    if (!noDevice) writeFileSync(device(tree.root, name), Buffer.alloc(row * height, 0xaa))
  }
  return {
    root: tree.root,
    bytes: (name: string) => readFileSync(device(tree.root, name)),
    async open(wanted = 'auto') {
      const panel = await openFramebuffer({ root: tree.root, wanted })
      t.after(() => panel?.close())
      return panel
    },
  }
}

const device = (root: string, name: string) => path.join(root, 'dev', name)

function frame(width: number, height: number, colour: [number, number, number]): Frame {
  const rgba = new Uint8Array(width * height * 4)
  for (let at = 0; at < rgba.length; at += 4) rgba.set([...colour, 255], at)
  return { width, height, rgba }
}

test('16 bits a pixel are RGB565, low byte first', async (t) => {
  const { bytes, open } = framebuffers(t, { fb0: { size: '320,240', bits: 16 } })
  const panel = await open()
  assert.deepEqual([panel?.name, panel?.scale], ['/dev/fb0 320x240', 1])
  await panel?.show(frame(320, 240, [255, 0, 8]))
  const shown = bytes('fb0')
  assert.equal(shown.length, 320 * 240 * 2)
  assert.equal(shown.readUInt16LE(0), 0b11111_000000_00001)
  assert.equal(shown.readUInt16LE(shown.length - 2), 0b11111_000000_00001)
})

test('32 bits a pixel are blue, green, red and nothing; rows may be longer than they look', async (t) => {
  const { bytes, open } = framebuffers(t, { fb0: { size: '320,240', bits: 32, stride: 1300 } })
  await (await open())?.show(frame(320, 240, [1, 2, 3]))
  const shown = bytes('fb0')
  assert.deepEqual([...shown.subarray(1300 * 239, 1300 * 239 + 4)], [3, 2, 1, 255])
  assert.deepEqual([...shown.subarray(1280, 1300)], Array(20).fill(0))
})

test('a larger panel asks for a larger picture and shows it in the middle', async (t) => {
  const { bytes, open } = framebuffers(t, { fb0: { size: '800,480', bits: 16 } })
  const panel = await open()
  assert.equal(panel?.scale, 2)
  await panel?.show(frame(640, 480, [255, 255, 255]))
  const row = bytes('fb0').subarray(100 * 1600, 101 * 1600)
  assert.equal(row.readUInt16LE(79 * 2), 0)
  assert.equal(row.readUInt16LE(80 * 2), 0xffff)
  assert.equal(row.readUInt16LE(719 * 2), 0xffff)
  assert.equal(row.readUInt16LE(720 * 2), 0)
})

const SCALES: [size: string, scale: number][] = [
  ['240,240', 0.75],
  ['480,320', 4 / 3],
  ['240,320', 0.75],
  ['1920,1080', 3],
]

for (const [size, scale] of SCALES) {
  test(`a panel of ${size} is filled by a picture ${scale.toFixed(2)} times as large`, async (t) => {
    const { open } = framebuffers(t, { fb0: { size, bits: 16 } })
    assert.equal((await open())?.scale, scale)
  })
}

test('what is to be seen counts, not the room for flipping', async (t) => {
  const glass = { size: '320,480', bits: 16, modes: 'U:320x240p-0' }
  const { bytes, open } = framebuffers(t, { fb0: glass })
  const panel = await open()
  assert.equal(panel?.name, '/dev/fb0 320x240')
  await panel?.show(frame(320, 240, [255, 255, 255]))
  assert.equal(bytes('fb0')[320 * 240 * 2], 0xaa)
})

test('only rows that differ are written again', async (t) => {
  const { bytes, open, root } = framebuffers(t, { fb0: { size: '320,240', bits: 16 } })
  const panel = await open()
  const picture = frame(320, 240, [255, 255, 255])
  await panel?.show(picture)
  writeFileSync(device(root, 'fb0'), Buffer.alloc(320 * 240 * 2, 0x55))
  picture.rgba.fill(0, 100 * 320 * 4, 102 * 320 * 4)
  await panel?.show(picture)
  const rows = Array.from({ length: 240 }, (_, y) => bytes('fb0')[y * 640] !== 0x55)
  assert.deepEqual([rows.indexOf(true), rows.lastIndexOf(true)], [100, 101])
})

test('auto takes the smallest that can be written, and none when there is none', async (t) => {
  const television = { size: '1920,1080', bits: 32 }
  const all = {
    fb0: television,
    fb1: { size: '320,240', bits: 16 },
    fb2: { size: '128,64', bits: 1 },
    fb3: { size: '160,128', bits: 16, noDevice: true },
  }
  const { open, root } = framebuffers(t, all)
  assert.equal((await open())?.name, '/dev/fb1 320x240')
  assert.equal((await open('/dev/fb0'))?.name, '/dev/fb0 1920x1080')
  assert.equal(await open('off'), undefined)
  assert.equal(existsSync(device(root, 'fb3')), false)
  assert.equal(await framebuffers(t, {}).open(), undefined)
})

test('one that was asked for and cannot be used is refused with the reason', async (t) => {
  const { open } = framebuffers(t, {
    fb0: { size: '128,64', bits: 1 },
    fb1: { size: '320,240', bits: 16, noDevice: true },
  })
  await assert.rejects(open('/dev/fb0'), /^Error: \/dev\/fb0 has 1 bits a pixel, not 16 or 32$/)
  await assert.rejects(open('/dev/fb1'), /ENOENT/)
  await assert.rejects(open('/dev/fb7'), /^Error: \/dev\/fb7 is not there$/)
})

test('a panel that is closed is dark', async (t) => {
  const { bytes, open } = framebuffers(t, { fb0: { size: '320,240', bits: 16 } })
  const panel = await open()
  await panel?.show(frame(320, 240, [255, 255, 255]))
  await panel?.close()
  assert.deepEqual(new Set(bytes('fb0')), new Set([0]))
})
