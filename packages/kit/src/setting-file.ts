import { readFileSync } from 'node:fs'
import { StartError } from './errors.ts'

const WHY: Record<string, string> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read',
  EISDIR: 'it is a directory',
}

/** The text of a file that a setting names; one that cannot be read stops the start with a line. */
export function readSettingFile(setting: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw new StartError(`${setting}: ${file} cannot be read: ${WHY[code] ?? message}`)
  }
}
