/** A payload of Sparkplug B with whole numbers of one byte, as a gateway encodes them. */
export const sparkplug = (metrics: { name?: string; alias?: number; value: number }[]) =>
  Buffer.concat(
    metrics.map(({ name = '', alias, value }) => {
      const body = Buffer.from([
        ...(name ? [0x0a, name.length, ...Buffer.from(name)] : []),
        ...(alias === undefined ? [] : [0x10, alias]),
        ...[0x20, 0x03, 0x50, value],
      ])
      return Buffer.concat([Buffer.from([0x12, body.length]), body])
    }),
  )
