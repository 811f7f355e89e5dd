import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'

/** Files of a made-up kernel, each with the line break the kernel ends them with. */
export function putTree(root: string, files: Record<string, string>) {
  mkdirSync(root, { recursive: true })
  for (const [file, content] of Object.entries(files)) {
    const target = path.join(root, file)
    mkdirSync(path.dirname(target), { recursive: true })
    writeFileSync(target, `${content}\n`)
  }
}

/** A tree of its own that goes with the test. */
export function fakeTree(t: TestContext, files: Record<string, string> = {}) {
  const root = mkdtempSync(path.join(tmpdir(), 'tree-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  putTree(root, files)
  return {
    root,
    put: (more: Record<string, string>) => putTree(root, more),
    read: (file: string) => readFileSync(path.join(root, file), 'utf8').trim(),
  }
}
