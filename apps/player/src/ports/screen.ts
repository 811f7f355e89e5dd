/** Small lines at the top of every screen but the idle one. */
export type TopLine = { clock: string; next: string }

/** Words and numbers ready to be drawn; `isRtl` puts what comes first on the right. */
export type NowPlayingScene = {
  screen: 'now-playing'
  isRtl: boolean
  top: TopLine
  title: string
  subtitle: string
  detail: string
  /** 0..1; null where there is no end to come to, as on the radio. */
  progress: number | null
  /** Repetitions of a verse, instead of the bar. */
  beads: { done: number; of: number } | null
  elapsed: string
  total: string
  /** Between the two times: paused, buffering, live. */
  state: string
  /** The repetition that is on, or what follows the end. */
  note: string
  aside: string
  /** The silence between two repetitions: `aside` then counts down. */
  isWaiting: boolean
}

export type IdleScene = {
  screen: 'idle'
  isRtl: boolean
  clock: string
  /** AM or PM; empty on a 24-hour clock. */
  half: string
  date: string
  hijri: string
  next: { name: string; time: string; countdown: string } | null
  notice: string
}

export type AdhanScene = {
  screen: 'adhan'
  isRtl: boolean
  call: string
  title: string
  subtitle: string
  state: string
}

export type UpdateScene = {
  screen: 'update'
  isRtl: boolean
  top: TopLine
  title: string
  step: string
  /** 0..1 */
  progress: number
  percent: string
  warning: string
}

export type ErrorScene = {
  screen: 'error'
  isRtl: boolean
  top: TopLine
  title: string
  message: string
}

/** A code that opens the dashboard on a phone, with the token in it. */
export type PairingScene = {
  screen: 'pairing'
  isRtl: boolean
  title: string
  hint: string
  /** For those who rather type it. */
  address: string
  /** What the code says; empty where it is not to be seen. */
  link: string
}

export type Scene =
  | NowPlayingScene
  | IdleScene
  | AdhanScene
  | UpdateScene
  | ErrorScene
  | PairingScene

/** Rows from the top, four bytes a pixel: red, green, blue and an opaque alpha. */
export type Frame = { width: number; height: number; rgba: Uint8Array }

export type Painter = {
  /** 320 × 240 times `scale`. The frame is good until the next call. */
  paint(scene: Scene, scale: number): Frame
}

/** Loads the drawing engine at the first call, since it is large; rejects where there is none. */
export type OpenPainter = () => Promise<Painter>

/** Glass that shows frames. */
export type Panel = {
  readonly name: string
  /** How much larger than 320 × 240 a frame should be to fill it. */
  readonly scale: number
  /** Has taken what it needs of the frame when it returns; resolves when it is to be seen. */
  show(frame: Frame): Promise<void>
  /** Goes dark: a clock that stands still would be taken for the time. */
  close(): Promise<void>
}
