const KEPT_MS = 60_000

/** Into the downloads of the browser. */
export function saveFile(content: Blob, name: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  // Firefox and Safari read it after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS)
}
