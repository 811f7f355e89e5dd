import { invalid } from '@manara/kit/errors'

type Headers = Record<string, string | string[] | undefined>

/** What the creation headers of tus 1.0 say, for the schema to check; undefined when they are not there. */
export function readCreation(headers: Headers): Record<string, unknown> | undefined {
  const length = headers['upload-length']
  if (length === undefined) return undefined
  const { path, filename, sha256, overwrite } = readMetadata(headers['upload-metadata'])
  return {
    path: path ?? filename,
    size: wholeNumber('Upload-Length', length),
    ...(sha256 === undefined ? {} : { sha256 }),
    ...(overwrite === undefined ? {} : { overwrite: overwrite === 'true' }),
  }
}

export const readOffset = (headers: Headers) =>
  wholeNumber('Upload-Offset', headers['upload-offset'])

function wholeNumber(name: string, text: string | string[] | undefined): number {
  if (typeof text !== 'string' || !/^\d{1,15}$/.test(text))
    throw invalid(name, 'must be a number of bytes')
  return Number(text)
}

/** `path UmVhZA==,overwrite dHJ1ZQ==`: pairs of a name and base64, separated by commas. */
function readMetadata(text: string | string[] | undefined): Record<string, string> {
  if (typeof text !== 'string') return {}
  const pairs = text.split(',').map((pair) => {
    const [name = '', value = ''] = pair.trim().split(' ')
    return [name, Buffer.from(value, 'base64').toString('utf8')]
  })
  return Object.fromEntries(pairs)
}
