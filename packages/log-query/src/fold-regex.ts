import { fold, quoteRegex } from './fold.ts'

/** RE2 source that finds this text without regard to case, as `fold` has it, in any engine. */
export function foldRegex(text: string): string {
  let source = ''
  for (const char of fold(text)) {
    const variants = variantsOf(char)
    source += variants.length > 1 ? `[${variants.join('')}]` : quoteRegex(char)
  }
  return source
}

let variants: Map<string, string[]> | undefined

/** All code points that fold to this one, itself included. */
function variantsOf(folded: string): string[] {
  variants ??= mapVariants()
  return variants.get(folded) ?? [folded]
}

const LAST_CASED_LETTER = 0x1e943

function mapVariants(): Map<string, string[]> {
  const map = new Map<string, string[]>()
  for (let code = 0x41; code <= LAST_CASED_LETTER; code++) {
    if (code === 0xd800) code = 0xe000
    const char = String.fromCodePoint(code)
    const folded = fold(char)
    if (folded === char) continue
    const known = map.get(folded)
    if (known) known.push(char)
    else map.set(folded, [folded, char])
  }
  return map
}
