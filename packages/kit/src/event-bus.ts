type Message<Events extends object> = {
  [K in keyof Events]: { event: K; data: Events[K] }
}[keyof Events]

export type EventBus<Events extends object> = {
  emit<K extends keyof Events>(event: K, data: Events[K]): void
  on<K extends keyof Events>(event: K, listener: (data: Events[K]) => void): () => void
  onAny(listener: (message: Message<Events>) => void): () => void
}

/**
 * Delivery is synchronous and in order. A listener that throws neither stops the others nor the
 * one who emits: its error goes to `onError`.
 */
export function createEventBus<Events extends object>(
  onError: (error: unknown) => void,
): EventBus<Events> {
  const listeners = new Set<(message: Message<Events>) => void>()

  function onAny(listener: (message: Message<Events>) => void) {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }

  return {
    emit(event, data) {
      for (const listener of [...listeners]) {
        try {
          listener({ event, data })
        } catch (error) {
          onError(error)
        }
      }
    },
    on: (event, listener) =>
      onAny((message) => {
        if (message.event === event) listener(message.data as never)
      }),
    onAny,
  }
}
