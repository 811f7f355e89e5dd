import type { PlayerEvents, Snapshot } from '@manara/player-contract/events'
import { computed, signal } from '@preact/signals'

export type Tap = PlayerEvents['nfc'] & { at: number }
type Parts = { [Name in keyof Snapshot]?: Snapshot[Name] }

/** What the box last said of itself: the snapshot, and every event laid over it. */
export function createBox(now: () => number) {
  const state = signal<Parts>({})
  /** When it was said, by the clock of this phone; null before the first word. */
  const heardAt = signal<number | null>(null)
  const tap = signal<Tap | null>(null)
  const cardsChanged = signal(0)
  const libraryChanged = signal(0)
  const versesChanged = signal(0)
  const hifzChanged = signal(0)
  /** Since this page was opened the box was updated: it has another page now. */
  const isUpdated = signal(false)
  let version: string | undefined
  /** How often it has told what plays. */
  let playbackTold = 0
  const askedApart = [cardsChanged, versesChanged, hifzChanged]
  /** How far the clock of the box is ahead of ours. */
  const ahead = signal(0)

  // Other parts of what plays come by themselves and tell nothing of the silence.
  const hifz = computed(() => state.value.playback?.hifz)
  /** When the silence of memorising ends, by the clock of this phone; null outside of it. */
  const gapEndsAt = computed(() => {
    const { waiting, gap_ms, pause_s } = hifz.value ?? {}
    return waiting ? now() + (gap_ms ?? (pause_s ?? 0) * 1000) : null
  })

  const part = <Name extends keyof Snapshot>(name: Name) => computed(() => state.value[name])
  const lay = (parts: Parts) => {
    state.value = { ...state.value, ...parts }
  }
  const clockOf = (settings: Snapshot['settings']) => {
    ahead.value = settings.time * 1000 - now()
  }

  const versionOf = (told: string | undefined) => {
    if (version !== undefined && told !== version) isUpdated.value = true
    version = told
  }

  const HANDLERS: { [Name in keyof PlayerEvents]?: (data: PlayerEvents[Name]) => void } = {
    playback(playback) {
      playbackTold += 1
      lay({ playback })
    },
    progress: (progress) => layOverPlayback(progress),
    volume: (volume) => layOverPlayback(volume),
    verse: ({ surah, verse }) => {
      if (state.value.playback?.surah_number === surah) layOverPlayback({ verse })
    },
    verses: () => {
      versesChanged.value += 1
    },
    mode: ({ mode: _, ...mode }) => {
      if (!state.value.playback) return
      const { hifz: _hifz, loop: _loop, ...playback } = state.value.playback
      lay({ playback: { ...playback, ...mode } })
    },
    library(library) {
      lay({ library })
      libraryChanged.value += 1
    },
    favorites: (favorites) => lay(favorites),
    stations: (stations) => lay(stations),
    schedules: (schedules) => lay(schedules),
    settings(settings) {
      lay({ settings })
      clockOf(settings)
    },
    battery: (battery) => lay({ battery }),
    prayer: (prayer) => lay({ prayer }),
    ota: (ota) => lay({ ota }),
    system: (system) => lay({ system }),
    queue: (queue) => lay(queue),
    sleep: (sleep) => lay({ sleep }),
    nfc(event) {
      tap.value = { ...event, at: now() }
    },
    cards() {
      cardsChanged.value += 1
    },
    hifz() {
      hifzChanged.value += 1
    },
  }

  function hearSnapshot(snapshot: Snapshot, isFirst: boolean) {
    state.value = snapshot
    playbackTold += 1
    clockOf(snapshot.settings)
    versionOf(snapshot.system?.version)
    libraryChanged.value += 1
    // What it does not hold may have changed while the link was lost.
    if (!isFirst) for (const changed of askedApart) changed.value += 1
  }

  function layOverPlayback(part: Partial<Snapshot['playback']>) {
    if (state.value.playback) lay({ playback: { ...state.value.playback, ...part } })
  }

  return {
    heardAt,
    isUpdated,
    tap,
    cardsChanged,
    libraryChanged,
    versesChanged,
    hifzChanged,
    gapEndsAt,
    playback: part('playback'),
    library: part('library'),
    reciters: part('reciters'),
    favorites: part('favorites'),
    stations: part('stations'),
    settings: part('settings'),
    battery: part('battery'),
    prayer: part('prayer'),
    schedules: part('schedules'),
    ota: part('ota'),
    system: part('system'),
    queue: part('queue'),
    sleep: part('sleep'),
    /** Unix seconds by the clock of the box, whatever the phone believes. */
    secondsNow: (millis: number) => Math.floor((millis + ahead.value) / 1000),
    lay,
    playbackTold: () => playbackTold,
    newDay(prayer: Snapshot['prayer']) {
      lay({ prayer })
      hifzChanged.value += 1
    },
    hear({ event, data }: { event: string; data: unknown }) {
      const isFirst = heardAt.value === null
      heardAt.value = now()
      if (event === 'snapshot') return hearSnapshot(data as Snapshot, isFirst)
      const handle = HANDLERS[event as keyof PlayerEvents] as ((data: unknown) => void) | undefined
      handle?.(data)
    },
    /** What was kept from the last visit, for a phone that cannot reach the box. */
    keepable: () => ({ state: state.value, heardAt: heardAt.value, ahead: ahead.value }),
    restore(kept: { state: Parts; heardAt: number | null; ahead: number }) {
      if (heardAt.value !== null) return
      state.value = kept.state
      heardAt.value = kept.heardAt
      ahead.value = kept.ahead
    },
  }
}
export type Box = ReturnType<typeof createBox>
