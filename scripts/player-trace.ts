import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { BUNDLE } from '../apps/player/src/features/ota/entry-of.ts'

/**
 * `npm run player:trace < log`: places in the bundle become places in the sources. Run it in a checkout
 * of the version that wrote the log, after `node scripts/server.ts`.
 */
const PLACE = /(?:file:\/\/)?[^\s()]*\/apps\/player\/dist\/([\w.-]+\.js):(\d+):(\d+)/g
const maps = new Map<string, SourceMap | undefined>()

function mapOf(name: string): SourceMap | undefined {
  const file = path.join(BUNDLE, `${name}.map`)
  if (!maps.has(name) && existsSync(file)) {
    maps.set(name, new SourceMap(JSON.parse(readFileSync(file, 'utf8'))))
  }
  return maps.get(name)
}

const log = await text(process.stdin)
process.stdout.write(
  log.replace(PLACE, (place, name: string, line: string, column: string) => {
    const found = mapOf(name)?.findOrigin(Number(line), Number(column))
    if (!found || !('fileName' in found)) return place
    const source = path.normalize(path.join(BUNDLE, found.fileName))
    return `${source}:${found.lineNumber}:${found.columnNumber}`
  }),
)
