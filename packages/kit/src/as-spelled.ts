import { readdir } from 'node:fs/promises'
import path from 'node:path'

/**
 * The path of what is there under that name, in whichever form its letters are spelled, and as it was
 * given from where nothing is there. Some computers write Arabic letters with their hamza in one,
 * others apart, and to Linux these are two names.
 */
export async function asSpelled(folder: string, relative: string): Promise<string> {
  let file = folder
  for (const wanted of relative.split('/')) {
    const names = await readdir(file).catch((): string[] => [])
    const same = names.find((name) => name.normalize('NFC') === wanted.normalize('NFC'))
    file = path.join(file, names.includes(wanted) ? wanted : (same ?? wanted))
  }
  return file
}
