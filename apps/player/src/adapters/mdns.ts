import { Bonjour } from 'bonjour-service'

export type MdnsOptions = {
  port: number
  tls: boolean
  version: string
  /** Of the interfaces, as they are now. */
  addresses(): readonly string[]
  /** The box is found by its address alone; undefined when it is found by its name again. */
  onProblem(problem: string | undefined): void
  /** 5353 unless a test stays out of the way of the machine's own. */
  udpPort?: number
}

/**
 * Announces the box in the local network: `<hostname>.local`, and a service whose TXT record says
 * where the API is. Never throws and never rejects.
 */
export function createMdns({ port, tls, version, udpPort, ...box }: MdnsOptions) {
  let bonjour: Bonjour | undefined
  let announced = ''
  let problem: string | undefined

  function tell(next: string | undefined) {
    if (next === problem) return
    problem = next
    box.onProblem(problem)
  }

  /** The next call of `announce` begins anew: a network that was away comes back. */
  function fail(error: unknown) {
    close()
    announced = ''
    tell(`the name of the box is not announced: ${(error as Error).message}`)
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
    try {
      // The library tells the addresses of the moment it was asked in, for ever.
      const place = [hostname, ...box.addresses()].join(' ')
      if (place === announced) return
      announced = place
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
    const unlessReplaced = (then: (error: unknown) => void) => (error: unknown) => {
      if (bonjour === opened) then(error)
    }
    const opened: Bonjour = new Bonjour(options, unlessReplaced(fail))
    // The callback hears of answers that cannot be sent; that the port is taken arrives only here.
    const { server } = opened as unknown as { server: { mdns: NodeJS.EventEmitter } }
    server.mdns.on('error', unlessReplaced(fail))
    server.mdns.on(
      'ready',
      unlessReplaced(() => tell(undefined)),
    )
    return opened
  }

  return {
    /** To be called whenever the name or an address may be another; otherwise nothing is said anew. */
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
