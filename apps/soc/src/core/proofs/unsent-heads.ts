import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { writeFileDurably } from '@manara/kit/write-durably'
import type { Anchor } from '../../ports/anchor.ts'

/**
 * The chains whose newest head an anchor has not taken yet, in `unsent.json` beside the heads: a
 * restart sends them. Its loss delays them until their chains grow.
 */
export function openUnsent(directory: string, anchors: Anchor[]) {
  const file = path.join(directory, 'unsent.json')
  const before = readBefore(file)
  const waiting = new Map(anchors.map((anchor) => [anchor, new Set(before[anchor.name])]))
  const keep = () => {
    const named = [...waiting].map(([{ name }, chains]) => [name, [...chains]])
    return writeFileDurably(file, `${JSON.stringify(Object.fromEntries(named))}\n`, 0o600)
  }

  return {
    waiting: waiting as ReadonlyMap<Anchor, ReadonlySet<string>>,

    /** It is to be sent to all; on disk when this resolves. */
    async add(chain: string) {
      const lacking = [...waiting.values()].filter((chains) => !chains.has(chain))
      if (lacking.length === 0) return
      for (const chains of lacking) chains.add(chain)
      await keep()
    },

    async remove(anchor: Anchor, taken: string[]) {
      if (taken.length === 0) return
      for (const chain of taken) waiting.get(anchor)?.delete(chain)
      await keep()
    },
  }
}

function readBefore(file: string): Record<string, string[]> {
  if (!existsSync(file)) return {}
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}
