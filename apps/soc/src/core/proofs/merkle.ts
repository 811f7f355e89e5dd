import { hash } from 'node:crypto'

/** A complete subtree: how many leaves it has, and its hash. */
export type Subtree = { size: number; hash: string }

/** What is needed to go on: the complete subtrees from left to right, at most one of each size. */
export type Frontier = Subtree[]

const sha256 = (hex: string) => hash('sha256', Buffer.from(hex, 'hex'), 'hex')

// As RFC 6962 does: a leaf can never be passed off as a node.
const leafHash = (entryHash: string) => sha256(`00${entryHash}`)
export const nodeHash = (left: string, right: string) => sha256(`01${left}${right}`)

/** The tree with one leaf more (RFC 6962, section 2.1); `made` gets every subtree that it completes. */
export function grow(
  frontier: Frontier,
  entryHash: string,
  made?: (subtree: Subtree) => void,
): Frontier {
  let last: Subtree = { size: 1, hash: leafHash(entryHash) }
  const rest = [...frontier]
  while (rest.at(-1)?.size === last.size) {
    const left = rest.pop() as Subtree
    last = { size: left.size * 2, hash: nodeHash(left.hash, last.hash) }
    made?.(last)
  }
  return [...rest, last]
}

export const sizeOf = (frontier: Frontier) => frontier.reduce((sum, { size }) => sum + size, 0)

export function rootOf(frontier: Frontier): string {
  const hashes = frontier.map(({ hash }) => hash)
  const last = hashes.pop()
  if (last === undefined) return sha256('')
  return hashes.reduceRight((right, left) => nodeHash(left, right), last)
}

/** Some leaves one after the other: the place of the first, and how many. */
export type Leaves = { first: number; size: number }

/** The siblings on the way from a leaf to the root, each as the leaves below it (RFC 6962, 2.1.1). */
export function siblingsOf(index: number, { first, size }: Leaves): Leaves[] {
  if (size < 2) return []
  const [left, right] = halvesOf({ first, size })
  return index < right.first
    ? [...siblingsOf(index, left), right]
    : [...siblingsOf(index, right), left]
}

/** As the tree divides them. */
export function halvesOf({ first, size }: Leaves): [left: Leaves, right: Leaves] {
  const half = largestPowerBelow(size)
  return [
    { first, size: half },
    { first: first + half, size: size - half },
  ]
}

/** For who has all leaves. */
export const inclusionPath = (entryHashes: string[], index: number): string[] =>
  siblingsOf(index, { first: 0, size: entryHashes.length }).map(({ first, size }) =>
    rootOfAll(entryHashes.slice(first, first + size)),
  )

export function rootOfAll(entryHashes: string[]): string {
  let frontier: Frontier = []
  for (const hash of entryHashes) frontier = grow(frontier, hash)
  return rootOf(frontier)
}

/** The root that an entry with these siblings leads to (RFC 9162, section 2.1.3.2). */
export function rootFromPath(
  entryHash: string,
  index: number,
  size: number,
  path: string[],
): string | undefined {
  let [place, last, hash] = [index, size - 1, leafHash(entryHash)]
  if (place < 0 || place > last) return undefined
  for (const sibling of path) {
    if (last === 0) return undefined
    if (place % 2 === 1 || place === last) {
      hash = nodeHash(sibling, hash)
      while (place % 2 === 0 && place !== 0) {
        place = Math.floor(place / 2)
        last = Math.floor(last / 2)
      }
    } else {
      hash = nodeHash(hash, sibling)
    }
    place = Math.floor(place / 2)
    last = Math.floor(last / 2)
  }
  return last === 0 ? hash : undefined
}

function largestPowerBelow(size: number): number {
  let power = 1
  while (power * 2 < size) power *= 2
  return power
}
