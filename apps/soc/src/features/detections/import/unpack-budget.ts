import { isUtf8 } from 'node:buffer'
import { type AppError, invalid } from '@manara/kit/errors'

// The public Sigma rules are 4,000 files and 8 MB unpacked.
const MAX_FILES = 20_000
const MAX_BYTES = 64 * 1024 * 1024

/** How much more may be unpacked: an archive may claim anything about itself. */
export type Budget = {
  /** Names of rule files; the rest of an archive (licences, tests, pictures) is passed over. */
  wants(name: string): boolean
  left(): number
  take(name: string, bytes: Buffer): string
  /** What to tell when unpacking failed because of this budget. */
  explain(error: unknown): AppError | undefined
}

export function createBudget(maxBytes = MAX_BYTES): Budget {
  let left = maxBytes
  let files = 0
  const tooMuch = () =>
    invalid('body', `unpacks to more than ${maxBytes >> 20} MB of rules: send it in parts`)
  return {
    wants: (name) => /\.ya?ml$/i.test(name) && !/(^|\/)(\._|__MACOSX\/)/.test(name),
    left: () => left,
    take(name, bytes) {
      files += 1
      left -= bytes.length
      if (files > MAX_FILES) throw invalid('body', `has more than ${MAX_FILES} rule files`)
      if (left < 0) throw tooMuch()
      if (!isUtf8(bytes) || bytes.includes(0))
        throw invalid('body', `${name}: is not text in UTF-8`)
      return bytes.toString()
    },
    explain: (error) =>
      (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? tooMuch() : undefined,
  }
}
