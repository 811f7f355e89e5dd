/** Versions. */
export type Browsers = { safari: number; firefox: number; chrome: number }

/** What a front end is made of, and what its first view may weigh. */
export type WebApp = {
  name: string
  folder: string
  title: string
  /** Has a manifest and pictures for the home screen of a phone. */
  isInstalled: boolean
  /** Said where scripts are off. */
  noScript: string
  /** The oldest that it works in, as its page in the docs promises. */
  browsers: Browsers
  /** Folders and files whose change makes a new build. */
  sources: string[]
  /** Bytes in gzip: page, script, style and the fonts of the first view. */
  firstView: number
  /** Bytes in gzip of any part that is loaded later. */
  laterPart: number
  /** Fonts that the first view waits for, by the beginning of their names. */
  firstFonts: string[]
}

const SHARED = ['packages/ui', 'scripts/web.ts', 'scripts/web', 'package-lock.json']

export const WEB_APPS: WebApp[] = [
  {
    name: 'player-web',
    folder: 'apps/player-web',
    title: 'Manara',
    isInstalled: true,
    noScript:
      'This page needs JavaScript. The box itself works without it: its API is described at /api/docs.',
    // Phones that are five years old.
    browsers: { safari: 15.4, firefox: 115, chrome: 105 },
    sources: [
      'apps/player-web',
      'packages/player-contract/src',
      'packages/posix-tz/src',
      ...SHARED,
    ],
    firstView: 150_000,
    laterPart: 60_000,
    firstFonts: ['plex-latin', 'plex-arabic', 'amiri-names'],
  },
  {
    name: 'soc-web',
    folder: 'apps/soc-web',
    title: 'Manara SOC',
    isInstalled: false,
    noScript:
      'The console needs JavaScript. The API works without it and is described at /api/v1/docs.',
    browsers: { safari: 17.4, firefox: 121, chrome: 120 },
    sources: ['apps/soc-web', 'packages/soc-contract/src', 'packages/log-query/src', ...SHARED],
    firstView: 250_000,
    laterPart: 60_000,
    firstFonts: ['plex-latin', 'plex-mono'],
  },
]
