import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

// Fonts and pictures are pressed already.
const AS_THEY_ARE = /\.(woff2|png)$/

/** Writes `.br` and `.gz` beside each file; answers the bytes that travel for each, at the most. */
export function pressAll(folder: string): Map<string, number> {
  const sizes = new Map<string, number>()
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name)
    const bytes = readFileSync(file)
    if (AS_THEY_ARE.test(name)) {
      sizes.set(name, bytes.length)
      continue
    }
    const pressed = gzipSync(bytes, { level: 9 })
    writeFileSync(`${file}.gz`, pressed)
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11 }
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }))
    sizes.set(name, pressed.length)
  }
  return sizes
}
