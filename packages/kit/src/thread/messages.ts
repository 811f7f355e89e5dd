/** What a thread can be asked, by name. */
export type Calls = Record<string, (...args: never[]) => unknown>

export type Question = { id: number; name: string; args: unknown[] } | { cancel: number }

/** An error is copied without its class: the status says that it may be told to the caller. */
export type Answer =
  | { id: number; value: unknown }
  | { id: number; error: unknown; status: number | undefined }
  | { news: unknown }
  /** A failure that nobody in the thread waits for. */
  | { stray: string }
