import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import path from 'node:path'
import { text } from 'node:stream/consumers'

/**
 * `npm run player:trace < log`, `npm run soc:trace < log`: places in the bundle become places in the
 * sources. Run it in a checkout of the version that wrote the log, after `node scripts/server.ts`.
 */
const PLACE = /(?:file:\/\/)?[^\s()]*\/(apps\/(?:player|soc)\/dist)\/([\w.-]+\.js):(\d+):(\d+)/g
const maps = new Map<string, SourceMap | undefined>()

function mapOf(bundled: string): SourceMap | undefined {
  const file = `${bundled}.map`
  if (!maps.has(bundled) && existsSync(file)) {
    maps.set(bundled, new SourceMap(JSON.parse(readFileSync(file, 'utf8'))))
  }
  return maps.get(bundled)
}

const log = await text(process.stdin)
process.stdout.write(
  log.replace(PLACE, (place, bundle: string, name: string, line: string, column: string) => {
    const found = mapOf(path.join(bundle, name))?.findOrigin(Number(line), Number(column))
    if (!found || !('fileName' in found)) return place
    const source = path.normalize(path.join(bundle, found.fileName))
    return `${source}:${found.lineNumber}:${found.columnNumber}`
  }),
)
