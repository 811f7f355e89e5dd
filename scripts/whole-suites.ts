import { registerHooks } from 'node:module'

/**
 * Loaded before suites: where several share a process, Node's runner forgets what one throws behind
 * its first test, and whatever stands behind that never runs.
 */
const open = new Set<string>()
Object.assign(globalThis, { endOfSuite: (url: string) => open.delete(url) })

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (!/\.test\.ts$/.test(url) || !loaded.source) return loaded
    open.add(url)
    const source = Buffer.from(loaded.source as Uint8Array).toString()
    return { ...loaded, source: `${source}\nendOfSuite(import.meta.url)\n` }
  },
})

process.on('exit', () => {
  if (open.size === 0) return
  process.exitCode = 1
  process.stderr.write(`not read to their ends, run them alone: ${[...open].join(', ')}\n`)
})
