import type { Browsers } from './apps.ts'

const NEVER = Number.POSITIVE_INFINITY
/**
 * What esbuild leaves as it is and browsers learnt late: as the built files have it, and since which
 * Safari, Firefox and Chrome. What is only nicer where it is known, such as `text-wrap`, is not here.
 */
type Feature = [name: string, pattern: RegExp, safari: number, firefox: number, chrome: number]

const IN_SCRIPTS: Feature[] = [
  ['Array toSorted and others', /\.to(?:Sorted|Reversed|Spliced)\(/, 16, 115, 110],
  ['Array.fromAsync', /\bArray\.fromAsync\b/, 16.4, 115, 121],
  ['String isWellFormed', /\.(?:is|to)WellFormed\(/, 16.4, 119, 111],
  ['Promise.withResolvers', /\bPromise\.withResolvers\b/, 17.4, 121, 119],
  ['Promise.try', /\bPromise\.try\b/, 18.2, 134, 128],
  ['groupBy', /\b(?:Object|Map)\.groupBy\b/, 17.4, 119, 117],
  ['Set methods', /\.(?:isSubsetOf|isSupersetOf|isDisjointFrom|intersection)\(/, 17, 127, 122],
  [
    'iterator helpers',
    /\.(?:keys|values|entries)\(\)\.(?:map|filter|some|every|find|toArray|reduce|forEach|take|drop|flatMap)\(/,
    ...([18.4, 131, 122] as const),
  ],
  ['bytes as base64 or hex', /\.(?:toBase64|fromBase64|toHex|fromHex)\(/, 18.2, 133, 140],
  ['RegExp.escape', /\bRegExp\.escape\b/, 18.2, 134, 136],
  ['lookbehind', /\(\?<[=!]/, 16.4, 78, 62],
  ['flag v of a pattern', /new RegExp\([^()]*,"[a-z]*v[a-z]*"\)/, 17, 116, 112],
  ['Intl.DurationFormat', /\bIntl\.DurationFormat\b/, 16.4, 136, 129],
  ['Intl.Segmenter', /\bIntl\.Segmenter\b/, 14.1, 125, 87],
  ['URL.canParse', /\bURL\.canParse\b/, 17, 115, 120],
  ['URL.parse', /\bURL\.parse\b/, 18, 126, 126],
  ['AbortSignal.timeout', /\bAbortSignal\.timeout\b/, 16, 100, 103],
  ['AbortSignal.any', /\bAbortSignal\.any\b/, 17.4, 124, 116],
  ['checkVisibility', /\.checkVisibility\(/, 17.4, 106, 105],
  ['popovers', /\.(?:show|hide|toggle)Popover\(/, 17, 125, 114],
  ['view transitions', /\bstartViewTransition\(/, 18, 144, 111],
  ['scrollend', /["'`]scrollend["'`]/, 26.2, 109, 114],
  ['requestIdleCallback', /\brequestIdleCallback\(/, NEVER, 55, 47],
  ['CompressionStream', /\b(?:De)?[Cc]ompressionStream\(/, 16.4, 113, 80],
]

const IN_STYLES: Feature[] = [
  [':has()', /:has\(/, 15.4, 121, 105],
  [':dir()', /:dir\(/, 16.4, 49, 120],
  ['container queries', /@container\b/, 16, 110, 105],
  ['@scope', /@scope\b/, 17.4, 146, 118],
  ['subgrid', /\bsubgrid\b/, 16, 71, 117],
  ['color-mix()', /\bcolor-mix\(/, 16.2, 113, 111],
  ['light-dark()', /\blight-dark\(/, 17.5, 120, 123],
  ['@property', /@property\b/, 16.4, 128, 85],
  ['round()', /[:\s,(]round\(/, 15.4, 118, 125],
  ['anchors', /\banchor(?:-name:|\()/, 26, 147, 125],
]

/** What in a built file is newer than the oldest browsers that its app promises. */
export function tooNew(name: string, text: string, oldest: Browsers): string[] {
  const known = name.endsWith('.js') ? IN_SCRIPTS : name.endsWith('.css') ? IN_STYLES : []
  return known
    .filter(([, pattern, ...since]) => isLater(since, oldest) && pattern.test(text))
    .map(([feature]) => `${name}: ${feature}`)
}

const isLater = (
  [inSafari, inFirefox, inChrome]: [number, number, number],
  { safari, firefox, chrome }: Browsers,
) => inSafari > safari || inFirefox > firefox || inChrome > chrome
