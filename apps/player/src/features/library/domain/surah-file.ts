import { surahAfterWord, surahByName } from './surah-names.ts'

// Format and bit rate say nothing about the surah: `001-128kbps.mp3`, `mp3 001.mp3`.
const NOISE = /(?<!\d)\d+\s*(?:kbps|kbit|kb|khz|hz|k)(?!\p{L})|(?<!\p{L})mp[34](?!\d)/giu

// A number after one of these counts something smaller or larger than a surah.
const OTHER_UNIT =
  /(?<!\p{L})(?:juz['’]?|hizb|page|part|pt|ayah?|ayat|verses?|(?:ال)?(?:جزء|حزب|صفح[ةه]|[آا]ي(?:[ةه]|ات)))[\s\-_.:#]*\d/iu

// Not touching another digit: `001001` is one number and names an ayah.
const FIRST_NUMBER = /(?<!\d)0?\d{1,3}(?!\d)/

// `002-255` is an ayah and `002-1-25` a part, while `002 (1)` is a second download of surah 2.
const SECOND_NUMBER = /^[\s\-_.:~+]+\d{1,3}(?!\d)/

/**
 * The surah that a file of this name (without its extension) recites whole, if it does: by its number,
 * or by its name where it has no number. `01 سورة يس` is Ya-Sin, the first of somebody's own choice.
 */
export function surahNumber(stem: string): number | undefined {
  const text = asciiDigits(stem).replace(NOISE, ' ')
  if (OTHER_UNIT.test(text)) return undefined
  const named = surahAfterWord(text)
  const found = FIRST_NUMBER.exec(text)
  if (named && Number(found?.[0]) !== named.number) {
    // A number behind the name is that of a part, unless it is in brackets.
    const isPart = FIRST_NUMBER.test(named.rest) && !/\(\d+\)\s*$/.test(text)
    return isPart ? undefined : named.number
  }
  if (!found) return surahByName(text)
  if (SECOND_NUMBER.test(text.slice(found.index + found[0].length))) return undefined
  const number = Number(found[0])
  return number >= 1 && number <= 114 ? number : undefined
}

/** Lower case, without the dot; empty when there is none. */
export function extensionOf(fileName: string): string {
  const dot = fileName.lastIndexOf('.')
  return dot > 0 ? fileName.slice(dot + 1).toLowerCase() : ''
}

/** Endings of sound that some engine plays, mpv for one. */
const SOUND = new Set(['mp3', 'wav', 'flac', 'ogg', 'oga', 'opus', 'm4a', 'm4b', 'aac', 'wma'])

/** Endings of the files that hold sound which cannot be played here, in order. */
export const soundNotDecoded = (fileNames: readonly string[], playable: readonly string[]) =>
  fileNames
    .map(extensionOf)
    .filter((extension) => SOUND.has(extension) && !playable.includes(extension))
    .sort()

/**
 * Surah number -> file name. When several files hold one surah, the extension named first in
 * `playable` wins, then the shorter name (`001.mp3` before `001 (1).mp3`), then the smaller one.
 */
export function surahFiles(
  fileNames: readonly string[],
  playable: readonly string[],
): Map<number, string> {
  const chosen = new Map<number, string>()
  for (const fileName of fileNames) {
    const extension = extensionOf(fileName)
    if (!playable.includes(extension)) continue
    const number = surahNumber(fileName.slice(0, -extension.length - 1))
    if (number === undefined) continue
    const rival = chosen.get(number)
    if (rival === undefined || isBetter(fileName, rival, playable)) chosen.set(number, fileName)
  }
  return chosen
}

function isBetter(candidate: string, rival: string, playable: readonly string[]): boolean {
  const byExtension =
    playable.indexOf(extensionOf(candidate)) - playable.indexOf(extensionOf(rival))
  if (byExtension !== 0) return byExtension < 0
  if (candidate.length !== rival.length) return candidate.length < rival.length
  return candidate < rival
}

// Arabic-Indic (٠-٩) and its eastern form (۰-۹) end in the same four bits as their values.
const asciiDigits = (text: string) =>
  text.replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
