import { type FileHandle, open } from 'node:fs/promises'
import type { TestContext } from 'node:test'

const NEVER = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) }

/** For the rest of a test no read of a file comes back, as from a dead card. */
export async function hangReads(t: TestContext) {
  const handle = await open('/dev/null')
  await handle.close()
  t.mock.method(Object.getPrototypeOf(handle), 'read', function (this: FileHandle) {
    // To Node a call that is under way, like a read that the kernel keeps.
    return this.writeFile(NEVER)
  })
}
