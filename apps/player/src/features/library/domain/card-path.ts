import { invalid } from '@manara/kit/errors'
import { extensionOf } from './surah-file.ts'

// Whoever decodes once more than we do must not find a way out: `%2e%2e%2f`, `%252e`, `%5c`, `%00`.
const ENCODED_ESCAPE = /%(?:25)*(?:2e|2f|5c|00)/i

// biome-ignore lint/suspicious/noControlCharactersInRegex: rejecting control characters is the point
const CONTROL = /[\u0000-\u001f\u007f]/

/** Of a file or a folder on the card that no path may name. */
export const isUnspeakable = (name: string) =>
  CONTROL.test(name) || name.includes('\\') || ENCODED_ESCAPE.test(name)

/** Refuses whatever is not plainly the path of a playable file below the card's root. */
export function checkCardPath(path: string, playable: readonly string[]): void {
  if (path === '') throw invalid('path', 'must name a file')
  if (CONTROL.test(path)) throw invalid('path', 'must not contain control characters')
  if (path.includes('\\')) throw invalid('path', 'must use forward slashes')
  if (ENCODED_ESCAPE.test(path)) throw invalid('path', 'must not be URL-encoded')
  if (path.startsWith('/') || /^[a-z]:/i.test(path))
    throw invalid('path', 'must be relative to the card')
  const segments = path.split('/')
  if (segments.includes('..')) throw invalid('path', 'must not contain ..')
  if (segments.some((name) => name === '' || name === '.'))
    throw invalid('path', 'must not contain empty segments')
  if (!playable.includes(extensionOf(segments.at(-1) ?? '')))
    throw invalid('path', `must end in one of ${playable.join(', ')}`)
}
