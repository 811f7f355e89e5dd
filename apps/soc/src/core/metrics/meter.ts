import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

type Labels = Record<string, string>
/** Called once for each combination of labels. */
export type Tell = (labels: Labels, value: number) => void
type Read = (tell: Tell) => unknown

export type Meter = ReturnType<typeof createMeter>

// Few on purpose: each is one more series for every route and every kind of call.
const SECONDS = [0.005, 0.025, 0.1, 0.5, 2, 10]

/**
 * Numbers for Prometheus. Labels come from lists that the code knows (route patterns, severities,
 * names of queues), never from what a caller wrote: the number of series stays bounded.
 */
export function createMeter(registry: Registry) {
  const registers = [registry]
  return {
    /** Counted where it happens. */
    counter: (name: string, help: string, labelNames: string[] = []) =>
      new Counter({ name, help, labelNames, registers }),

    seconds: (name: string, help: string, labelNames: string[]) =>
      new Histogram({ name, help, labelNames, registers, buckets: SECONDS }),

    /** A running total that is kept elsewhere, read when somebody asks. */
    total(name: string, help: string, labelNames: string[], read: Read) {
      new Counter({
        ...{ name, help, labelNames, registers },
        async collect() {
          const told = await listen(read)
          this.reset()
          for (const [labels, value] of told) this.inc(labels, value)
        },
      })
    },

    /** As it is when somebody asks; what is not known then is left out, not told as zero. */
    level(name: string, help: string, labelNames: string[], read: Read) {
      new Gauge({
        ...{ name, help, labelNames, registers },
        async collect() {
          const told = await listen(read)
          this.reset()
          if (labelNames.length === 0) this.remove()
          for (const [labels, value] of told) this.set(labels, value)
        },
      })
    },
  }
}

/** All of it before anything is replaced: two may ask at the same time. */
async function listen(read: Read) {
  const told: [Labels, number][] = []
  await read((labels, value) => told.push([labels, value]))
  return told
}
