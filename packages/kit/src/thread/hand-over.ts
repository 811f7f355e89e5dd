const handedOver = new WeakMap<object, ArrayBuffer[]>()

/**
 * Marks memory to be given away when `value` goes to another thread, as an argument of a call or as
 * its answer: it is then not copied, and nothing here can read it any more.
 */
export function handOver<T extends object>(value: T, ...buffers: ArrayBuffer[]): T {
  handedOver.set(value, buffers)
  return value
}

/** What goes along with these; memory that was given away before cannot go again. */
export function handedOverWith(values: unknown[]): ArrayBuffer[] {
  return values.flatMap((value) =>
    typeof value === 'object' && value !== null ? (handedOver.get(value) ?? []) : [],
  )
}
