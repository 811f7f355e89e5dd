import type { Frame } from '../../ports/screen.ts'
import { BYTES_A_PIXEL, type Geometry, type PutPixel } from './geometry.ts'

/** The frame in the middle of the picture; what lies around it is left as it is. */
export function placeFrame(put: PutPixel, frame: Frame, geometry: Geometry, picture: Buffer) {
  const size = BYTES_A_PIXEL[geometry.bits] ?? 0
  const left = Math.floor((geometry.width - frame.width) / 2)
  const top = Math.floor((geometry.height - frame.height) / 2)
  let from = 0
  for (let y = 0; y < frame.height; y += 1) {
    let to = (top + y) * geometry.stride + left * size
    for (let x = 0; x < frame.width; x += 1, from += 4, to += size) {
      put(picture, to, frame.rgba[from] ?? 0, frame.rgba[from + 1] ?? 0, frame.rgba[from + 2] ?? 0)
    }
  }
}

/** From the first row that differs until after the last: a clock's second is not a whole screen. */
export function changedRows(before: Buffer, after: Buffer, stride: number): [number, number] {
  const rows = after.length / stride
  const isSame = (row: number) =>
    before.compare(after, row * stride, (row + 1) * stride, row * stride, (row + 1) * stride) === 0
  let from = 0
  while (from < rows && isSame(from)) from += 1
  let until = rows
  while (until > from && isSame(until - 1)) until -= 1
  return [from, until]
}
