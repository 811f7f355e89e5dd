import type { Frame } from '../../ports/screen.ts'

type Box = { left: number; top: number; right: number; bottom: number }

const isSame = (a: Uint8Array, b: Uint8Array, at: number) =>
  a[at] === b[at] && a[at + 1] === b[at + 1] && a[at + 2] === b[at + 2]

/** Places, by number, where a picture differs from an empty one. */
export function inkOf({ rgba }: Frame, ground: Frame): Set<number> {
  const ink = new Set<number>()
  for (let at = 0; at < rgba.length; at += 4) {
    if (!isSame(rgba, ground.rgba, at)) ink.add(at / 4)
  }
  return ink
}

export function boxOf(ink: Set<number>, width: number): Box {
  const box = { left: width, top: Number.MAX_SAFE_INTEGER, right: -1, bottom: -1 }
  for (const place of ink) {
    const [x, y] = [place % width, Math.floor(place / width)]
    box.left = Math.min(box.left, x)
    box.right = Math.max(box.right, x)
    box.top = Math.min(box.top, y)
    box.bottom = Math.max(box.bottom, y)
  }
  return box
}

/** How tall the ink is in the outermost `columns` at one end of it. */
export function heightAt(end: 'left' | 'right', ink: Set<number>, width: number, columns = 3) {
  const { left, right } = boxOf(ink, width)
  const isAtEnd = (x: number) => (end === 'left' ? x < left + columns : x > right - columns)
  const { top, bottom } = boxOf(new Set([...ink].filter((place) => isAtEnd(place % width))), width)
  return bottom - top + 1
}
