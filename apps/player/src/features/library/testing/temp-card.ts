import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'

/** A real folder that plays the card for one test, holding empty files of these names. */
export function tempCard(t: TestContext, ...files: string[]) {
  const slot = mkdtempSync(path.join(tmpdir(), 'manara-card-'))
  t.after(() => rmSync(slot, { recursive: true, force: true }))
  const mount = path.join(slot, 'card')
  const at = (relative: string) => path.join(mount, relative)

  function put(...added: string[]) {
    for (const file of added) {
      mkdirSync(path.dirname(at(file)), { recursive: true })
      writeFileSync(at(file), '')
    }
  }

  put(...files)
  return { slot, mount, at, put, age: () => age(mount) }
}

// As if written long ago, so that whatever a test does next moves the times of its folder.
function age(folder: string) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) age(path.join(folder, entry.name))
  }
  utimesSync(folder, 1_000_000, 1_000_000)
}
