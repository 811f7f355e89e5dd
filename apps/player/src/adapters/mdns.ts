import { Bonjour } from 'bonjour-service'

export type MdnsOptions = {
  port: number
  tls: boolean
  version: string
  /** Told at most once; the box is then found by its address alone. */
  onProblem(problem: string): void
  /** 5353 unless a test stays out of the way of the machine's own. */
  udpPort?: number
}

/**
 * Announces the box in the local network: `<hostname>.local`, and a service whose TXT record says
 * where the API is. Never throws and never rejects.
 */
export function createMdns({ port, tls, version, onProblem, udpPort }: MdnsOptions) {
  let bonjour: Bonjour | undefined
  let announced = ''
  let hasFailed = false

  function fail(error: unknown) {
    if (hasFailed) return
    hasFailed = true
    onProblem(`the name of the box is not announced: ${(error as Error).message}`)
    close()
  }

  function close() {
    try {
      bonjour?.destroy()
    } catch {
      // A socket that never opened cannot be closed.
    }
    bonjour = undefined
  }

  function announce(hostname: string) {
    if (hasFailed || hostname === announced) return
    announced = hostname
    try {
      bonjour ??= open()
      bonjour.unpublishAll()
      bonjour.publish({
        name: `Manara ${hostname}`,
        type: tls ? 'https' : 'http',
        port,
        host: `${hostname}.local`,
        txt: { path: '/', api: '/api', ws: '/ws', ver: version },
        // The library answers a taken name with a line on standard output and silence.
        probe: false,
      })
    } catch (error) {
      fail(error)
    }
  }

  function open(): Bonjour {
    const options = udpPort === undefined ? {} : { port: udpPort }
    const opened = new Bonjour(options, fail)
    // The callback hears of answers that cannot be sent; that the port is taken arrives only here.
    const { server } = opened as unknown as { server: { mdns: NodeJS.EventEmitter } }
    server.mdns.on('error', fail)
    return opened
  }

  return {
    announce,
    /** Says goodbye first, so that nobody keeps a name that leads nowhere. */
    stop: () =>
      new Promise<void>((resolve) => {
        if (!bonjour) return resolve()
        const end = () => {
          close()
          resolve()
        }
        // Without a network the goodbye is never sent.
        setTimeout(end, 200).unref()
        bonjour.unpublishAll(end)
      }),
  }
}

/** A service that only this machine can reach has nothing to announce. */
export const isSeenByOthers = (host: string) => !/^(127\.|::1$|localhost$)/.test(host)
