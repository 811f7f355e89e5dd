import { globSync, readFileSync, writeFileSync } from 'node:fs'
import wabt from 'wabt'

/**
 * `npm run assemble` makes a .wasm beside every .wat; without `--write` it fails when one is not
 * what its source says.
 */
const { parseWat } = await wabt()

for (const source of globSync('{apps,packages}/*/src/**/*.wat')) {
  const target = source.replace(/wat$/, 'wasm')
  const parsed = parseWat(source, readFileSync(source, 'utf8'), { simd: true })
  const { buffer } = parsed.toBinary({})
  if (process.argv.includes('--write')) writeFileSync(target, buffer)
  else if (!readFileSync(target).equals(buffer)) {
    process.stdout.write(`${target} is not what its source says: run npm run assemble\n`)
    process.exitCode = 1
  }
}
