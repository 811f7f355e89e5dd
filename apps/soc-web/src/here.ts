import { createEventStream } from '@manara/ui/event-stream'
import { keepFocus } from '@manara/ui/keep-focus'
import { createCommands } from '@manara/ui/keys'
import { createMemory } from '@manara/ui/memory'
import { createNotices } from '@manara/ui/notices'
import { createPreferences } from '@manara/ui/preferences'
import { createRoute } from '@manara/ui/route'
import { createSpeech } from '@manara/ui/words'
import { computed, effect, signal } from '@preact/signals'
import { BASE, createApi, Previewed } from './stores/api.ts'
import { createAsked } from './stores/asked.ts'
import { explain } from './stores/attempt.ts'
import { createComingBack } from './stores/coming-back.ts'
import { createDock } from './stores/dock.ts'
import { createPace } from './stores/pace.ts'
import { createReads } from './stores/reads.ts'
import { createServiceClock } from './stores/service-clock.ts'
import { createSession } from './stores/session.ts'
import { createSharedLine, type Word } from './stores/shared-line.ts'
import { createTyping } from './stores/typing.ts'
import { createUnsent } from './stores/unsent.ts'
import { en } from './words/en.ts'

/** The stores of this page, wired to this browser: the only file where both are known. */
const memory = createMemory(() => localStorage)
/** What lasts as long as the tab, for what should not stay on a shared desk. */
export const tabMemory = createMemory(() => sessionStorage)
const after = (ms: number, then: () => void) => {
  const timer = setTimeout(then, ms)
  return () => clearTimeout(timer)
}

export const preferences = createPreferences(memory, ['en'])
export const say = computed(() => createSpeech('en', en, 'latn'))
export const notices = createNotices(after)
export const unsent = createUnsent()

const pace = createPace(Date.now)
const serviceClock = createServiceClock(Date.now)
/** The time by which the service dates its records. */
export const now = serviceClock.now
const waitsUntil = signal(0)
/** More was asked than the service answers in a minute: the rest comes by itself, soon. */
export const isWaiting = computed(() => waitsUntil.value > clock.value)
const asking = {
  async fetch(url: string, init: RequestInit) {
    pace.count()
    const reply = await fetch(url, init)
    serviceClock.learn(reply.headers.get('date'))
    return reply
  },
  onWait(ms: number) {
    waitsUntil.value = Math.max(waitsUntil.value, now() + ms)
  },
  after,
}
export const api = createApi({
  ...asking,
  onSignedOut: () => comingBack.wait(),
  onUnavailable: () => void lookAtMode(),
})
/** For signing in and out, where a refusal is an answer and not the end of a session. */
export const doorApi = createApi({ ...asking, onSignedOut: () => Promise.resolve(false) })
export const session = createSession(api)
const typing = createTyping({ now: Date.now, after })
export const comingBack = createComingBack({
  ...{ api: doorApi, me: session.me, pause: typing.pause },
  leave(to) {
    unsent.forget()
    if (to === 'sign-in') leaveToSignIn()
    else location.replace('/')
  },
})
export const asked = createAsked({
  memory: tabMemory,
  now: Date.now,
  owner: () => session.me.value?.username ?? '',
})
const isSeen = () => document.visibilityState === 'visible'
export const reads = createReads({
  ...{ api, after, now: Date.now, isSeen },
  isBusy: pace.isBusy,
})

/** Does it, and says why when it did not work. Resolves with whether it did. */
export async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (error instanceof Previewed) notices.done(en.previewed)
    else notices.problem(explain(error, en.errors))
    return false
  }
}

/** Browsers lend the clipboard only to pages from this machine or over TLS. */
export const canCopy = () => Boolean(navigator.clipboard)

/** Resolves with whether it is in the clipboard, which is said. */
export const copyText = (text: string) =>
  attempt(async () => {
    await navigator.clipboard.writeText(text)
    notices.done(en.copied)
  })

let hasGoneBack = false
/** Whether the page was reached by Back or Forward: then what was left there is wanted again. */
export const isBack = () => hasGoneBack

export const route = createRoute({
  location,
  history: {
    pushState(...to) {
      hasGoneBack = false
      history.pushState(...to)
    },
    replaceState: (...to) => history.replaceState(...to),
  },
  onBack: (then) =>
    addEventListener('popstate', () => {
      hasGoneBack = true
      then()
    }),
  onChange() {
    // A screen reader goes on from the new page, not from the link that is still in focus.
    document.getElementById('main')?.focus({ preventScroll: true })
  },
})

export const commands = createCommands({
  now: Date.now,
  isTyping: (target) =>
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
    !/^(checkbox|radio|button)$/.test((target as HTMLInputElement).type),
  isCovered: () => document.querySelector('dialog[open]') !== null,
})

/** What Enter presses when it is in focus: the key is for it before it is for the page. */
export const PRESSED = 'a, button, summary'
const isPressing = ({ key, target }: KeyboardEvent) =>
  key === 'Enter' && target instanceof Element && target.closest(PRESSED) !== null

export type LiveEvent = { event: string; data: Record<string, unknown> }
const hearers = new Set<(event: LiveEvent) => void>()

/** Every live event, until what it answers is called. */
export function onLive(hear: (event: LiveEvent) => void): () => void {
  hearers.add(hear)
  return () => hearers.delete(hear)
}

/** Only a tab that is looked at hears them: what it missed comes when it is looked at again. */
const line = createEventStream({
  open: (_, signal) => fetch(`${BASE}/events/stream`, { signal, headers: live.from() }),
  onEvent: (event) => live.heard(event),
  onRefused: async (status) => {
    live.stop()
    if (status === 401 && (await comingBack.wait())) after(1_000, live.start)
  },
  after,
  random: Math.random,
})
let tabs: BroadcastChannel | undefined
export const live = {
  ...createSharedLine({
    id: `${Math.random()}`,
    line: { start: line.start, stop: line.stop, isLive: () => line.status.value === 'live' },
    post: (word) => tabs?.postMessage(word),
    onEvent({ event, data }) {
      const told = { event, data: JSON.parse(data) as Record<string, unknown> }
      // Events were missed that nobody keeps any more.
      if (event === 'reset') void reads.renewAll()
      else if (event === 'ready') void lookAtMode('regular')
      else reads.hear(event.slice(0, event.indexOf('.')), data)
      for (const hear of hearers) hear(told)
      // It knows from where to go on.
      if (!isSeen()) live.stop()
    },
    now: Date.now,
    after,
  }),
  status: line.status,
}

/** The guide for the first hour, on the overview until somebody has had enough of it. */
export const isFirstHourShown = signal(memory.getItem('first-hour') !== 'dismissed')
export function dismissFirstHour() {
  isFirstHourShown.value = false
  memory.setItem('first-hour', 'dismissed')
}

export const dock = createDock({ memory: tabMemory, page: document })

/** The time, second by second, while somebody looks. */
export const clock = signal(now())

const lostAt = signal(Number.POSITIVE_INFINITY)
/** What is shown may be old; not for the moment that a new connection takes. */
export const isLost = computed(() => clock.value - lostAt.value > 4_000)

const MODE_EVERY_MS = 10_000
const MODE_WHILE_BUSY_MS = 30_000
const MODE_WHILE_AWAY_MS = 2_000

export async function start() {
  document.addEventListener('click', route.follow)
  document.addEventListener('keydown', (event) => {
    // Nothing of a page is for who has not signed in again, also nothing that stands in front.
    if (!isPressing(event) && !comingBack.isAsking.value) commands.hear(event)
  })
  typing.follow(document)
  keepFocus(document)
  document.addEventListener('visibilitychange', () => {
    if (!isSeen()) return live.stop()
    clock.value = now()
    live.start()
    void lookAtMode('regular')
  })
  addEventListener('online', () => {
    if (isSeen()) line.wake()
  })
  addEventListener('beforeunload', (event) => {
    if (unsent.isAny() || api.isHolding()) event.preventDefault()
  })
  setInterval(() => {
    if (isSeen()) clock.value = now()
  }, 1_000)
  effect(() => {
    const theme = preferences.theme.value
    if (theme === 'auto') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme
  })
  effect(() => {
    lostAt.value = live.status.value === 'lost' ? now() : Number.POSITIVE_INFINITY
  })
  addEventListener('pagehide', live.stop)
  await session.start()
  // Of this person alone: another one in the same browser hears other events.
  tabs = new BroadcastChannel(`live ${session.me.value?.id ?? ''}`)
  tabs.onmessage = ({ data }) => live.told(data as Word)
  live.start()
  live.look()
  couldRead = session.canRead.value
  lookAgain(MODE_EVERY_MS)
}

let couldRead = true
let isLooking = false
let modeTimer: ReturnType<typeof setTimeout> | undefined

/** A tab that nobody sees asks when it is seen again. */
function lookAgain(ms: number) {
  modeTimer = setTimeout(() => {
    if (isSeen()) void lookAtMode('regular')
  }, ms)
}

/**
 * Now and then, and at once when an answer says that the database is away. Only the regular look
 * asks for what failed again: else the next such answer would ask for it at once, and again.
 */
async function lookAtMode(why: 'regular' | 'refused' = 'refused') {
  if (isLooking) return
  isLooking = true
  clearTimeout(modeTimer)
  const isAnswering = await session.refreshMode().then(
    () => true,
    () => false,
  )
  isLooking = false
  const canRead = session.canRead.value
  if (canRead && !couldRead) void reads.renewAll()
  else if (canRead && isAnswering && why === 'regular') reads.renewFailed()
  couldRead = canRead
  const whileHere = pace.isBusy() ? MODE_WHILE_BUSY_MS : MODE_EVERY_MS
  lookAgain(canRead ? whileHere : MODE_WHILE_AWAY_MS)
}

/** Back to this very page when somebody has signed in. */
export function leaveToSignIn() {
  const here = location.pathname + location.search
  location.replace(`/sign-in/${here === '/' ? '' : `?next=${encodeURIComponent(here)}`}`)
}
