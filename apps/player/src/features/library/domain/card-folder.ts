/** The card itself, as a folder path. */
export const ROOT = '.'

export const within = (folder: string, name: string) =>
  folder === ROOT ? name : `${folder}/${name}`

/** In which folder something lies, and what it is called there. */
export function placeOf(path: string): [folder: string, name: string] {
  const slash = path.lastIndexOf('/')
  return slash < 0 ? [ROOT, path] : [path.slice(0, slash), path.slice(slash + 1)]
}
