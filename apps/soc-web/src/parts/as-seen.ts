/**
 * Signs that are not seen: some turn the text around them, `gpj.exe` is shown as `exe.jpg` behind
 * one; with others `web-1` is another host that looks the same. Not those of a whole day, which
 * browsers write so in Arabic.
 */
const UNSEEN =
  /(\p{Nd}{1,2}\u200f\/\p{Nd}{1,2}\u200f\/\p{Nd}{4})|\p{Default_Ignorable_Code_Point}|[^\P{Cc}\t\n\r]/gu

/** What comes before such a sign where people write it: in Persian, in Arabic, between emoji. */
const AT_HOME: [signs: RegExp, behind: RegExp][] = [
  [
    /\u061c|\u200c|\u200d|\u200f/,
    /(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])[\p{L}\p{M}]$/u,
  ],
  [/\u200d/, /[\p{Extended_Pictographic}\p{Emoji_Modifier}]$/u],
  [/[\ufe00-\ufe0f]/, /[\p{Extended_Pictographic}\p{Script=Han}]$/u],
]

const isAtHome = (sign: string, before: string) =>
  AT_HOME.some(([signs, behind]) => signs.test(sign) && behind.test(before))

const nameOf = (sign: string) =>
  `[U+${sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`

/** No longer than this, which is seen. */
export const cutAt = (most: number, text: string): string =>
  text.length > most ? `${text.slice(0, most)}…` : text

/** The host of a link as it is really named, where letters of other scripts may look like it. */
export function realHost(link: string): string | undefined {
  const host = hostOf(link)
  return host?.includes('xn--') && !link.toLowerCase().includes(host) ? host : undefined
}

/** Without `URL.parse`, which Safari 17 does not have. */
function hostOf(link: string): string | undefined {
  try {
    return new URL(link).host
  } catch {
    return undefined
  }
}

/** With those signs in sight, so that nobody takes a text for another one. */
export const asSeen = (text: string): string =>
  text.replace(UNSEEN, (sign, day: string | undefined, at: number) =>
    day || isAtHome(sign, text.slice(Math.max(0, at - 2), at)) ? sign : nameOf(sign),
  )
