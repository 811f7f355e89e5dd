import { existsSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { chimeWav } from './domain/chime.ts'

/** The chime's file, made when it is missing; a half-written one is never under its name. */
export function keepChime(dataDir: string): string {
  const file = path.join(dataDir, 'chime.wav')
  if (!existsSync(file)) {
    writeFileSync(`${file}.new`, chimeWav(), { flush: true })
    renameSync(`${file}.new`, file)
  }
  return file
}
