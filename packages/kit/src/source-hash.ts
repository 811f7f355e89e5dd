import { createHash } from 'node:crypto'
import { globSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

/** One value for all that a build is made from; tests and what was built do not count. */
export function sourceHash(sources: readonly string[], root = '.'): string {
  const hash = createHash('sha256')
  for (const file of sources.flatMap((source) => filesIn(root, source)).sort()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(root, file)))
      .update('\0')
  }
  return hash.digest('hex').slice(0, 16)
}

function filesIn(root: string, source: string): string[] {
  if (statSync(path.join(root, source)).isFile()) return [source]
  return globSync('**/*.*', {
    cwd: path.join(root, source),
    exclude: (name) => name === 'node_modules' || name === 'dist' || name.endsWith('.test.ts'),
  })
    .map((name) => path.posix.join(source, name))
    .filter((file) => statSync(path.join(root, file)).isFile())
}
