import type { Tree } from '../sysfs/tree.ts'

export type Geometry = {
  width: number
  height: number
  /** Bytes from one row to the next. */
  stride: number
  bits: number
}

export const BYTES_A_PIXEL: Record<number, number> = { 16: 2, 32: 4 }

/** Undefined where there is no such framebuffer. */
export async function readGeometry(tree: Tree, name: string): Promise<Geometry | undefined> {
  const at = (file: string) => `sys/class/graphics/${name}/${file}`
  // The virtual size may be several screens high, for flipping; the mode says what is to be seen.
  const size =
    /(\d+)x(\d+)/.exec((await tree.read(at('modes'))) ?? '') ??
    /(\d+),(\d+)/.exec((await tree.read(at('virtual_size'))) ?? '')
  const bits = await tree.number(at('bits_per_pixel'))
  const [width, height] = [Number(size?.[1]), Number(size?.[2])]
  if (!width || !height || !bits) return undefined
  const packed = (width * bits) / 8
  return { width, height, bits, stride: (await tree.number(at('stride'))) ?? packed }
}

/** Puts one colour where a pixel begins, in the byte order of the little-endian boards there are. */
export type PutPixel = (to: Buffer, at: number, red: number, green: number, blue: number) => void

export const inDepth = (bits: number): PutPixel => (bits === 16 ? putRgb565 : putXrgb8888)

const putRgb565: PutPixel = (to, at, red, green, blue) => {
  const value = ((red & 0xf8) << 8) | ((green & 0xfc) << 3) | (blue >> 3)
  to[at] = value & 0xff
  to[at + 1] = value >> 8
}

const putXrgb8888: PutPixel = (to, at, red, green, blue) => {
  to[at] = blue
  to[at + 1] = green
  to[at + 2] = red
  to[at + 3] = 0xff
}
