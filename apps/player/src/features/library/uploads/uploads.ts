import { AppError, conflict, invalid, notFound } from '@manara/kit/errors'
import { createQueue } from '@manara/kit/queue'
import type { Upload, UploadBody, UploadList } from '@manara/player-contract/uploads'
import { untilStalled } from '../../../http/until-stalled.ts'
import type { Clock } from '../../../ports/clock.ts'
import { checkUploadPath } from '../domain/upload-path.ts'
import { checkUpload, type ProbeAudio } from './check-upload.ts'
import {
  type Draft,
  listDrafts,
  partOf,
  readDraft,
  removeDraft,
  removeRemains,
  saveDraft,
} from './draft.ts'
import { receivePart } from './receive-part.ts'
import {
  draftsOf,
  moveInto,
  type Place,
  refuseTaken,
  roomIn,
  whyNotWritable,
} from './upload-place.ts'

export type UploadDeps = {
  card: Place
  /** Sounds kept in the box, named `data:NAME`. */
  sounds: Place
  playable: readonly string[]
  probe: ProbeAudio
  newId(): string
  /** Undefined while the clock is not set. */
  now(): number | undefined
  clock: Pick<Clock, 'after' | 'monotonic'>
  limits: { file: number; total: number }
  onChange(upload: Upload): void
  /** A new file is on the card. */
  onPlaced(): void
}

export type Uploads = ReturnType<typeof createUploads>

const MOST_AT_ONCE = 16
// A card that is full to the last byte cannot even be tidied up by some computers.
const RESERVE = 16 * 2 ** 20
const DAY_MS = 86_400_000
const FORGOTTEN_AFTER_MS = 7 * DAY_MS
const PATIENCE = {
  // A phone that leaves the network does not hang up. Less than the dashboard is patient with its 409.
  silenceMs: 10_000,
  silent: (seconds: number) => conflict(`upload: nothing came for ${seconds} s; go on where it is`),
}
const IN_THE_BOX = 'data:'
const NO_ROOM = { free: 0, total: 0 }
const WHILE_AWAY = {
  card: 'was out for a moment: try again',
  box: 'was emptied meanwhile: send it anew',
}
const NO_ROOM_LEFT = 'size: does not fit: make room and go on where it is'

/** Files that come over the network: in pieces, resumable, and under their name only when they are whole. */
export function createUploads(deps: UploadDeps) {
  const { card, clock, sounds, limits } = deps
  const busy = new Map<string, AbortController>()
  /** When each was touched, in time that no clock skips. */
  const touched = new Map<string, number>()
  const checking = new Set<string>()
  /** One after the other, so that each counts those before it. */
  const announced = createQueue()

  const placeOf = (path: string) => (path.startsWith(IN_THE_BOX) ? sounds : card)
  const nameOf = (place: Place) => (place === card ? 'card' : 'box')
  const relativeOf = (path: string) =>
    path.startsWith(IN_THE_BOX) ? path.slice(IN_THE_BOX.length) : path

  /** Without a card that does not answer, which would keep whoever looks for drafts on it. */
  const placesUnless = (noCard: string | undefined) => (noCard ? [sounds] : [card, sounds])

  async function all(): Promise<Draft[]> {
    const places = placesUnless(await card.whyNot())
    const found = await Promise.all(places.map((place) => listDrafts(draftsOf(place))))
    return found.flat()
  }

  async function find(id: string): Promise<Draft> {
    const noCard = await card.whyNot()
    for (const place of placesUnless(noCard)) {
      const draft = await readDraft(draftsOf(place), id)
      if (draft) return draft
    }
    throw noCard ? conflict(`upload: the card ${noCard}`) : notFound('upload', id)
  }

  const shown = ({ id, path, size, offset }: Draft, state: Upload['state'], error?: string) => ({
    ...{ id, path, size, offset, state },
    ...(error === undefined ? {} : { error }),
  })
  const seen = (draft: Draft) => shown(draft, checking.has(draft.id) ? 'checking' : 'receiving')
  const tell = (draft: Draft, state: Upload['state'] = 'receiving', error?: string) =>
    deps.onChange(shown(draft, state, error))

  /** It is touched now; 0 where the clock cannot tell when that is. */
  function touch(id: string): number {
    touched.set(id, clock.monotonic())
    return deps.now() ?? 0
  }

  /** By time that has passed; by the clock on the wall only for what was touched before this start. */
  function untouchedFor({ id, touched_at }: Draft, now: number | undefined): number {
    const since = touched.get(id)
    if (since !== undefined) return clock.monotonic() - since
    const isDated = now !== undefined && touched_at > 0 && touched_at <= now
    return isDated ? now - touched_at : 0
  }

  async function forgetOld() {
    const now = deps.now()
    for (const draft of await all()) {
      if (busy.has(draft.id)) continue
      const age_ms = untouchedFor(draft, now)
      if (age_ms > FORGOTTEN_AFTER_MS) await removeDraft(draft)
      else await keepDated(draft, age_ms, now)
    }
  }

  /** For the next start: the clock may have been set since it was touched. */
  async function keepDated(draft: Draft, age_ms: number, now: number | undefined) {
    touched.set(draft.id, clock.monotonic() - age_ms)
    const isWrong = now !== undefined && Math.abs(now - age_ms - draft.touched_at) > DAY_MS
    if (!isWrong) return
    // Nobody else writes it meanwhile; a piece may have come since it was listed.
    busy.set(draft.id, new AbortController())
    try {
      const latest = await readDraft(draft.folder, draft.id)
      if (latest) await saveDraft({ ...latest, touched_at: now - age_ms })
    } finally {
      busy.delete(draft.id)
    }
  }

  async function refuseTooMuch(place: Place, size: number) {
    if (size > limits.file) throw invalid('size', `must be at most ${limits.file} bytes`)
    const drafts = await all()
    if (drafts.length >= MOST_AT_ONCE)
      throw conflict(`uploads: ${MOST_AT_ONCE} are under way; finish or cancel one first`)
    const announced = drafts.reduce((sum, draft) => sum + draft.size, 0)
    if (announced + size > limits.total)
      throw invalid('size', `with the uploads under way, must be at most ${limits.total} bytes`)
    const room = (await roomIn(place)).free - RESERVE - missing(drafts)
    if (size > room)
      throw invalid('size', `does not fit: ${Math.max(0, room)} bytes are free for uploads`)
  }

  /** What has arrived stays: there may be room again, or the card. */
  async function explained(error: unknown, place: Place): Promise<unknown> {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) return error
    const isBack = code === 'ENOENT' ? WHILE_AWAY[nameOf(place)] : undefined
    const reason = (await whyNotWritable(place)) ?? isBack
    return reason === undefined ? error : conflict(`upload: the ${nameOf(place)} ${reason}`)
  }

  async function finish(draft: Draft) {
    const place = placeOf(draft.path)
    checking.add(draft.id)
    tell(draft, 'checking')
    try {
      await checkUpload(draft, deps.probe)
      await refuseTaken(place, relativeOf(draft.path), draft.overwrite)
      await moveInto(place, partOf(draft), relativeOf(draft.path))
    } catch (error) {
      await removeDraft(draft)
      tell(draft, 'failed', (error as Error).message)
      throw error
    } finally {
      checking.delete(draft.id)
    }
    await removeDraft(draft)
    tell(draft, 'done')
    if (place === card) deps.onPlaced()
  }

  async function receive(
    draft: Draft,
    offset: number,
    chunks: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<Upload> {
    const { id } = draft
    if (offset !== draft.offset)
      throw conflict(`Upload-Offset: is ${offset}, but ${draft.offset} bytes are here`)
    try {
      const heard = untilStalled(until(signal, chunks), clock, PATIENCE)
      const onProgress = () => signal.aborted || tell(draft)
      await receivePart({ now: () => touch(id), onProgress }, draft, heard)
      refuseCancelled(signal)
      if (draft.offset < draft.size) return seen(draft)
      await finish(draft)
      return shown(draft, 'done')
    } catch (error) {
      throw isFull(error)
        ? new AppError(500, NO_ROOM_LEFT, { cause: error })
        : await explained(error, placeOf(draft.path))
    } finally {
      // Once more: what arrived since the cancellation may have written it again.
      if (signal.aborted) await removeDraft(draft)
    }
  }

  async function announce(
    place: Place,
    { path, size, sha256, overwrite = false }: UploadBody,
  ): Promise<Upload> {
    await forgetOld()
    await removeRemains(draftsOf(place), (id) => busy.has(id))
    await refuseTaken(place, relativeOf(path), overwrite)
    await refuseTooMuch(place, size)
    const id = deps.newId()
    const draft: Draft = {
      ...{ id, folder: draftsOf(place), path, size, overwrite },
      ...(sha256 === undefined ? {} : { sha256 }),
      ...{ offset: 0, touched_at: touch(id) },
    }
    await saveDraft(draft)
    tell(draft)
    return seen(draft)
  }

  return {
    async list(): Promise<UploadList> {
      const reason = await whyNotWritable(card)
      const drafts = await all()
      const { free, total } = (await card.whyNot()) ? NO_ROOM : await roomIn(card)
      return {
        writable: reason === undefined,
        ...(reason === undefined ? {} : { reason: `the card ${reason}` }),
        free_bytes: Math.max(0, free - RESERVE - missing(drafts)),
        total_bytes: total,
        file_limit_bytes: limits.file,
        total_limit_bytes: limits.total,
        uploads: drafts.map(seen),
      }
    },

    show: async (id: string): Promise<Upload> => seen(await find(id)),

    async create(body: UploadBody): Promise<Upload> {
      if (limits.file === 0) throw invalid('size', 'uploads are turned off on this box')
      const { path } = body
      const place = placeOf(path)
      if (place === sounds && relativeOf(path).includes('/'))
        throw invalid('path', 'data: takes the name of a file')
      checkUploadPath(relativeOf(path), deps.playable)
      const reason = await whyNotWritable(place)
      if (reason) throw conflict(`path: the ${nameOf(place)} ${reason}`)
      return announced.run(() =>
        announce(place, body).catch(async (error) => {
          throw await explained(error, place)
        }),
      )
    },

    /** Resolves when the piece is on disk and, if it was the last, the file is checked and in its place. */
    async append(id: string, offset: number, chunks: AsyncIterable<Uint8Array>): Promise<Upload> {
      if (busy.has(id)) throw conflict('upload: another request is sending it')
      const abort = new AbortController()
      // Before it is looked for: what ends meanwhile would be found as it was.
      busy.set(id, abort)
      try {
        return await receive(await find(id), offset, chunks, abort.signal)
      } finally {
        busy.delete(id)
      }
    },

    /** What a power cut has left whole and unchecked: whoever sent it has nothing more to send. */
    async finishWhole(): Promise<void> {
      for (const draft of await all()) {
        if (draft.offset < draft.size || busy.has(draft.id)) continue
        busy.set(draft.id, new AbortController())
        // A card that was put in is looked through as well: that may have finished it meanwhile.
        const left = await readDraft(draft.folder, draft.id)
        // Why it failed is told to who listens, and the draft is gone.
        if (left) await finish(left).catch(() => {})
        busy.delete(draft.id)
      }
    },

    /** What has arrived is deleted, also while more arrives. */
    async cancel(id: string): Promise<Upload> {
      const draft = await find(id)
      if (checking.has(id)) throw conflict('upload: is whole already and being checked')
      busy.get(id)?.abort()
      await removeDraft(draft)
      tell(draft, 'cancelled')
      return shown(draft, 'cancelled')
    },
  }
}

const missing = (drafts: Draft[]) =>
  drafts.reduce((sum, draft) => sum + draft.size - draft.offset, 0)

const isFull = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOSPC'

function refuseCancelled(signal: AbortSignal) {
  if (signal.aborted) throw conflict('upload: was cancelled')
}

async function* until(signal: AbortSignal, chunks: AsyncIterable<Uint8Array>) {
  for await (const chunk of chunks) {
    refuseCancelled(signal)
    yield chunk
  }
}
