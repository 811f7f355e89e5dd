import { globSync, readFileSync } from 'node:fs'

/**
 * Every pair of colours that is text on its ground, or an edge that must be seen, has the contrast
 * that WCAG 2.2 AA asks for, in both themes; the dark theme is written the same both times; and no
 * style names the left or the right.
 */
const TEXT = 4.5
const BODY = 7
const EDGE = 3
const PAIRS: [colour: string, ground: string, least: number][] = [
  ['ink', 'ground', BODY],
  ['ink', 'surface', BODY],
  ['ink', 'sunken', BODY],
  ['ink', 'accent-soft', BODY],
  ['ink-2', 'ground', TEXT],
  ['ink-2', 'surface', TEXT],
  ['ink-2', 'sunken', TEXT],
  ['ink-2', 'raised', TEXT],
  ['ink-2', 'accent-soft', TEXT],
  ['ink-3', 'surface', TEXT],
  ['ground', 'ink', BODY],
  ['accent', 'ground', TEXT],
  ['accent', 'surface', TEXT],
  ['accent', 'sunken', TEXT],
  ['accent', 'accent-soft', TEXT],
  ['on-accent', 'accent', TEXT],
  ['on-lamp', 'lamp', BODY],
  ['lamp-ink', 'ground', TEXT],
  ['lamp-ink', 'surface', TEXT],
  ['lamp-ink', 'lamp-soft', TEXT],
  ['ink', 'lamp-soft', BODY],
  ['good', 'surface', TEXT],
  ['bad', 'surface', TEXT],
  ['bad', 'ground', TEXT],
  ['line-strong', 'surface', EDGE],
  ['line-strong', 'raised', EDGE],
  ['focus', 'ground', EDGE],
  ['focus', 'surface', EDGE],
  ['focus', 'sunken', EDGE],
]

const [light = {}, dark = {}, darkBySystem = {}] = readFileSync(
  'packages/ui/src/tokens.css',
  'utf8',
)
  .split(/:root/)
  .slice(1)
  .map(coloursIn)

let failed = 0
for (const [theme, colours] of Object.entries({ light, dark })) {
  for (const [colour, ground, least] of PAIRS) {
    const found = contrast(colours[colour], colours[ground])
    if (found >= least) continue
    failed += 1
    process.stdout.write(
      `${theme}: ${colour} on ${ground} is ${found.toFixed(2)}, needs ${least}\n`,
    )
  }
}
if (JSON.stringify(dark) !== JSON.stringify(darkBySystem)) {
  failed += 1
  process.stdout.write('the dark theme differs between choice and system\n')
}

// A page in Arabic is the same page from the right: only what names no side turns with it.
const SIDED =
  /(?:^|[\s;{-])(?:margin|padding|border)-(?:left|right)\b|^\s*(?:left|right)\s*:|text-align:\s*(?:left|right)|float:\s*(?:left|right)/
for (const file of globSync(['packages/ui/src/**/*.css', 'apps/*-web/src/**/*.css'])) {
  for (const [at, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    if (!SIDED.test(line)) continue
    failed += 1
    process.stdout.write(`${file}:${at + 1} names a side: ${line.trim()}\n`)
  }
}
process.stdout.write(`${PAIRS.length} pairs in two themes\n`)
process.exitCode = failed === 0 ? 0 : 1

function contrast(one: string | undefined, other: string | undefined): number {
  if (!one || !other) return 0
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

/** Relative luminance, https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function coloursIn(block: string): Record<string, string> {
  const found = [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)]
  return Object.fromEntries(found.map(([, name, hex]) => [name, hex]))
}
