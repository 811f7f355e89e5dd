import { invalid } from '@manara/kit/errors'
import type { Position } from '../../../ports/log-store.ts'

type Order = 'asc' | 'desc'

/** Where the page behind this event begins, whatever comes in meanwhile. */
export function cursorBehind(order: Order, { at, id }: Position): string {
  return Buffer.from(JSON.stringify([order, at, id])).toString('base64url')
}

export function positionOf(order: Order, cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined
  const [cursorOrder, at, id] = decode(cursor)
  if (!Number.isSafeInteger(at) || typeof id !== 'string') throw unknownCursor()
  if (cursorOrder !== order) throw invalid('cursor', 'belongs to another order')
  return { at: at as number, id }
}

function decode(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (Array.isArray(parts) && parts.length === 3) return parts
  } catch {
    // Told below, together with JSON that is no list.
  }
  throw unknownCursor()
}

const unknownCursor = () => invalid('cursor', 'is not one that this list gave out')
