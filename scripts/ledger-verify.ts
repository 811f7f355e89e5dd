import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { checkExport } from './ledger/check-export.ts'

/**
 * `npm run ledger:verify FILE -- --key PUBLIC-KEYS.PEM [--heads HEADS.NDJSON]`: checks an exported
 * evidence ledger without the service that wrote it, and says what that proves. Exit 0 when all of
 * it holds, 1 otherwise.
 */
const USAGE = `usage: npm run ledger:verify -- FILE --key PUBLIC-KEYS.PEM [--heads HEADS.NDJSON]
  --key    the service's public keys, kept since before the export (GET /api/v1/audit/keys,
           or anchors/public-keys.pem in its data directory)
  --heads  signed heads that were kept elsewhere (anchors/heads.ndjson, a syslog, a webhook)`

const { values, positionals } = parseArgs({
  options: { key: { type: 'string' }, heads: { type: 'string' } },
  allowPositionals: true,
  strict: false,
})
const [file] = positionals
if (!file || typeof values.key !== 'string') refuse(USAGE)

const heads = typeof values.heads === 'string' ? read(values.heads) : undefined
const { lines, valid } = checkExport(read(file), read(values.key), heads)
process.stdout.write(`${lines.join('\n')}\n`)
process.exitCode = valid ? 0 : 1

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    return refuse(`${path}: ${(error as Error).message}`)
  }
}

function refuse(why: string): never {
  process.stderr.write(`${why}\n`)
  process.exit(1)
}
