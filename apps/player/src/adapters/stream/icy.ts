/** What an ICY body is made of: sound, with a title between every `interval` bytes of it. */
export type IcyPiece = { type: 'data'; bytes: Uint8Array } | { type: 'title'; title: string }

/** Takes a body apart as it arrives, however it was cut into chunks. */
export function createIcyParser(interval: number): (chunk: Uint8Array) => IcyPiece[] {
  let soundLeft = interval
  let blockLeft = 0
  let block: Uint8Array[] = []

  return (chunk) => {
    const pieces: IcyPiece[] = []
    let at = 0
    while (at < chunk.length) {
      if (soundLeft > 0) {
        const bytes = chunk.subarray(at, at + soundLeft)
        pieces.push({ type: 'data', bytes })
        soundLeft -= bytes.length
        at += bytes.length
      } else if (blockLeft === 0) {
        blockLeft = (chunk[at] ?? 0) * 16
        at += 1
        if (blockLeft === 0) soundLeft = interval
      } else {
        const part = chunk.subarray(at, at + blockLeft)
        block.push(part)
        blockLeft -= part.length
        at += part.length
        if (blockLeft > 0) continue
        const title = streamTitle(Buffer.concat(block))
        if (title !== undefined) pieces.push({ type: 'title', title })
        block = []
        soundLeft = interval
      }
    }
    return pieces
  }
}

/** `StreamTitle='…';`, where the title itself may hold quotes. */
export function streamTitle(block: Uint8Array): string | undefined {
  const found = /StreamTitle='(.*?)';(?:\w+=|\s*$)/s.exec(decodeText(block).replace(/\0+$/, ''))
  return found?.[1]?.trim()
}

/** Nobody says which encoding it is: what is not UTF-8 is an old code page, the Arabic or the Western one. */
function decodeText(bytes: Uint8Array): string {
  const text = new TextDecoder('utf-8').decode(bytes)
  if (!text.includes('\ufffd')) return text
  // Some of it is: then a letter was cut in two where the title was too long.
  const whole = text.replaceAll('\ufffd', '')
  if (/[^\0-\x7f]/.test(whole)) return whole
  return new TextDecoder(isArabic(bytes) ? 'windows-1256' : 'windows-1252').decode(bytes)
}

/** Arabic words are letters beyond ASCII throughout, in Western ones they stand alone. */
function isArabic(bytes: Uint8Array): boolean {
  const runs =
    Buffer.from(bytes)
      .toString('latin1')
      .match(/[\x81-\xff]+/g) ?? []
  return runs.some((run) => run.length >= 3)
}
