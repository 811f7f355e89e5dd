import type { Reciter } from '@manara/player-contract/library'
import { createLive, type LiveSocket } from '@manara/ui/live'
import { createMemory } from '@manara/ui/memory'
import { createNotices } from '@manara/ui/notices'
import { isAnswering } from '@manara/ui/parts/loaded-page'
import { createPreferences } from '@manara/ui/preferences'
import { createRoute } from '@manara/ui/route'
import { createSpeech, type Language } from '@manara/ui/words'
import { computed, effect, signal } from '@preact/signals'
import { createAccess } from './stores/access.ts'
import { createApi, Unreachable } from './stores/api.ts'
import { createAttempt } from './stores/attempt.ts'
import { createBox } from './stores/box.ts'
import { createKeepAsking } from './stores/keep-asking.ts'
import { keepSnapshot } from './stores/keep-snapshot.ts'
import { createLearners } from './stores/learners.ts'
import { createPlayer } from './stores/player.ts'
import { createReasons, type Known } from './stores/reasons.ts'
import { createUploads } from './stores/uploads.ts'
import { ar } from './words/ar.ts'
import { en } from './words/en.ts'

/** The stores of this page, wired to this browser: the only file where both are known. */
const memory = createMemory(() => localStorage)
const after = (ms: number, then: () => void) => {
  const timer = setTimeout(then, ms)
  return () => clearTimeout(timer)
}

export const preferences = createPreferences(memory, navigator.languages)
export const say = computed(() => {
  const language = preferences.language.value
  return createSpeech(language, language === 'ar' ? ar : en, preferences.digits.value)
})

/** The words of a page that brings its own, in the language of the phone. */
export const wordsIn =
  <Words>(catalogue: Record<Language, Words>) =>
  () =>
    catalogue[preferences.language.value]

export const notices = createNotices(after)
export const access = createAccess(memory)
export const api = createApi({ fetch: (url, init) => fetch(url, init), access, after })
export const keepAsking = createKeepAsking(after)
const known = signal<Known>()
export const reasons = createReasons(
  () => say.value,
  () => known.value,
)
export const attempt = createAttempt({ why: reasons.of, problem: notices.problem })
export const box = createBox(Date.now)
export const uploads = createUploads(api)
export const learners = createLearners(api)
export const player = createPlayer({ box, api, attempt, after })

export const route = createRoute({
  location,
  history,
  onBack: (then) => addEventListener('popstate', then),
  onChange() {
    scrollTo(0, 0)
    // A screen reader goes on from the new page, not from the link that is still in focus.
    document.getElementById('main')?.focus({ preventScroll: true })
  },
})

export const live = createLive({
  open: () =>
    new WebSocket(
      `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`,
    ) as unknown as LiveSocket,
  onMessage: box.hear,
  check: () =>
    api.get('/playback/status').catch((error) => {
      if (error instanceof Unreachable) throw error
    }),
  now: Date.now,
  after,
  random: Math.random,
})

/** The time, second by second, while somebody looks. */
export const clock = signal(Date.now())

/** What is shown may no longer be so. */
export const isStale = computed(() => live.status.value !== 'live')

export function start() {
  takePairing()
  keepAsking(async () => {
    const loaded = await import('./words/said.ts').catch((cause) => {
      throw new Unreachable(String(cause), { cause })
    })
    known.value = loaded.said
  })
  keepSnapshot({ box, memory, after, isLive: () => live.status.value === 'live' })
  live.start()
  followUpdates()
  effect(() => {
    // The first time is the snapshot, which has the reciters in it; the event has only their count.
    if (box.libraryChanged.value < 2) return undefined
    return keepAsking(() => api.get<{ reciters: Reciter[] }>('/library/reciters').then(box.lay))
  })
  effect(() => {
    // A phone that has forgotten the token, or whose box has another now, shows no learner any more.
    // Nor one that was asked for before and comes late.
    if (access.token.value === null && learners.list.value) learners.list.value = null
  })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') return live.rest()
    clock.value = Date.now()
    live.wake()
  })
  addEventListener('online', live.wake)
  addEventListener('beforeunload', (event) => {
    // Files that are on their way are lost with the page: the browser asks.
    if (uploads.isBusy()) event.preventDefault()
  })
  addEventListener('pageshow', (event) => {
    if ((event as PageTransitionEvent).persisted) live.wake()
  })
  setInterval(() => {
    if (document.visibilityState === 'visible') clock.value = Date.now()
  }, 1_000)
  effect(() => {
    const { language, dir } = say.value
    document.documentElement.lang = language
    document.documentElement.dir = dir
  })
  effect(() => {
    const theme = preferences.theme.value
    if (theme === 'auto') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme
  })
}

/** After an update the page begins anew by itself; nothing that somebody is at is taken away. */
function followUpdates() {
  let isLeaving = false
  effect(() => {
    if (!box.isUpdated.value) return
    clock.value
    if (isLeaving || isStale.value || uploads.isBusy()) return
    if (document.querySelector('dialog[open]')) return
    isLeaving = true
    void isAnswering().then((isThere) => {
      if (isThere) location.reload()
      else isLeaving = false
    })
  })
}

/** A code on the screen of the box leads here with the token behind the #, which no server sees. */
function takePairing() {
  const token = new URLSearchParams(location.hash.slice(1)).get('token')
  if (!token) return
  void access.pair(token, api.takes)
  history.replaceState(null, '', location.pathname)
}
