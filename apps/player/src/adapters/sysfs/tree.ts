import { constants } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

export type Tree = ReturnType<typeof openTree>

/** The kernel's files under a root: `/` on the box, a folder of made-up files in a test. */
export function openTree(root: string) {
  const at = (file: string) => path.join(root, file)
  return {
    root,
    at,

    /** Undefined when it is not there or cannot be read: drivers answer with an error for what they do not know. */
    read: (file: string): Promise<string | undefined> =>
      readFile(at(file), 'utf8').then(
        (text) => text.trim(),
        () => undefined,
      ),

    async number(file: string): Promise<number | undefined> {
      const text = await this.read(file)
      return text && Number.isFinite(Number(text)) ? Number(text) : undefined
    },

    /** Names in a folder, in a steady order; none when it is not there. */
    list: (folder: string): Promise<string[]> =>
      readdir(at(folder)).then(
        (names) => names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })),
        () => [],
      ),

    // Opened without O_CREAT: what the kernel does not offer must not come into being.
    write: (file: string, text: string): Promise<void> =>
      writeFile(at(file), text, { flag: constants.O_WRONLY | constants.O_TRUNC }),
  }
}
