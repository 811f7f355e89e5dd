import { randomBytes } from 'node:crypto'
import type { Logger } from '@manara/kit/logging'
import { createQueue } from '@manara/kit/queue'
import type { SocEnrolBody, SocStatus } from '@manara/player-contract/soc'
import type { Clock } from '../../ports/clock.ts'
import type { DeviceBrokerSession, OpenDeviceBroker } from '../../ports/device-broker.ts'
import type { AnswerDeps } from './answer-request.ts'
import type { AuditBuffer, AuditEvent } from './audit-buffer.ts'
import { type EnrolDeps, enrolBox, renewBox } from './enrol-box.ts'
import type { Shipper } from './ship-events.ts'
import type { Enrolment } from './soc-files.ts'

const SOON_MS = 1_000
const TRY_AGAIN_MS = 5_000
const LONGEST_MS = 5 * 60_000
// A box may be switched on for an hour or two a day.
const RENEWAL_MS = 30 * 60_000
const GOODBYE_MS = 2_000

export type SocLinkDeps = EnrolDeps & {
  openBroker: OpenDeviceBroker
  buffer: AuditBuffer
  shipper: Shipper
  answering: Omit<AnswerDeps, 'boot'>
  clock: Clock
  log: Pick<Logger, 'info' | 'warn'>
  /** Of the wall, once it can be believed. */
  now(): number
  reportProblem(problem: string | undefined): void
}

export type SocLink = ReturnType<typeof createSocLink>

/** The box as a device of a security platform: off until it is enrolled, and then for good. */
export function createSocLink(deps: SocLinkDeps) {
  const { files, buffer, clock } = deps
  let enrolment: Enrolment | undefined
  let session: DeviceBrokerSession | undefined
  let brokerProblem: string | undefined
  let shippingProblem: string | undefined
  let attested = { at: '', sha256: '' }
  let boot: AnswerDeps['boot'] | undefined
  let waitMs = TRY_AGAIN_MS
  let cancelShipping: (() => void) | undefined
  const ends: (() => void)[] = []
  // One after the other: answers in the order of the requests, nothing while the enrolment changes.
  const work = createQueue()
  const shipping = createQueue()

  function told() {
    deps.reportProblem(enrolment ? (brokerProblem ?? shippingProblem) : undefined)
  }

  async function connect(to: Enrolment) {
    boot ??= { count: files.countBoot(), seed: randomBytes(16).toString('hex') }
    brokerProblem = 'not connected yet'
    session = await deps.openBroker({
      url: to.mqtt.url ?? `mqtts://${new URL(to.soc).hostname}:${to.mqtt.port}`,
      clientId: to.mqtt.client_id,
      ...{ key: to.key, cert: to.certificate, ca: to.ca },
      subscribe: to.mqtt.request_topic,
      onMessage: hear,
      onState(problem) {
        brokerProblem = problem
        told()
      },
    })
  }

  /** Where the disk is full, or the platform gave what nobody can use, the box does its own work all the same. */
  async function keepConnected() {
    if (!enrolment || session) return
    try {
      await connect(enrolment)
    } catch (error) {
      brokerProblem = `cannot be connected: ${(error as Error).message}`
      deps.log.warn({ err: error }, 'the platform cannot be connected')
      told()
    }
  }

  function hear(payload: Buffer) {
    work
      .run(() => answer(payload))
      .catch((error) => deps.log.warn({ err: error }, 'a request of the platform was not answered'))
  }

  async function answer(payload: Buffer) {
    if (!enrolment || !session || !boot) return
    // Loaded when it is first needed: a box on its own does not pay for the encoding.
    const { answerRequest } = await import('./answer-request.ts')
    const answered = await answerRequest({ ...deps.answering, boot }, enrolment, payload)
    if (!answered) return
    attested = { at: new Date(deps.now()).toISOString(), sha256: answered.sha256 }
    void session.publish(enrolment.mqtt.evidence_topic, answered.evidence).catch(() => {})
  }

  async function disconnect() {
    await session?.close()
    session = undefined
    brokerProblem = undefined
  }

  /** In a moment, so that several go together; later and later while the platform is away. */
  function shipSoon(ms = SOON_MS) {
    if (!enrolment || cancelShipping) return
    cancelShipping = clock.after(ms, () => {
      cancelShipping = undefined
      void shipping.run(ship)
    })
  }

  async function ship() {
    if (!enrolment) return
    try {
      await deps.shipper.ship(enrolment)
      shippingProblem = undefined
      waitMs = TRY_AGAIN_MS
    } catch (error) {
      shippingProblem = `events cannot be sent: ${(error as Error).message}`
      waitMs = Math.min(waitMs * 2, LONGEST_MS)
      shipSoon(waitMs)
    }
    told()
  }

  async function renewIfDue() {
    if (!enrolment || deps.now() < Date.parse(enrolment.renew_after)) return
    try {
      enrolment = await renewBox(deps, enrolment)
      await disconnect()
      await keepConnected()
      record({ event: 'certificate_renewed', severity: 'info', message: 'a new certificate' })
    } catch (error) {
      deps.log.warn({ err: error }, 'the certificate could not be renewed')
    }
  }

  async function look() {
    await renewIfDue()
    await keepConnected()
  }

  function record(event: AuditEvent) {
    if (!enrolment) return
    try {
      buffer.add(event)
    } catch (error) {
      // A full disk keeps nothing else from going on.
      deps.log.warn({ err: error, event: event.event }, 'not kept for the platform')
    }
    shipSoon()
  }

  function status(): SocStatus {
    return {
      state: enrolment ? 'enrolled' : 'off',
      soc: enrolment?.soc ?? '',
      device_id: enrolment?.device_id ?? '',
      connected: session !== undefined && brokerProblem === undefined,
      certificate_until: enrolment?.not_after ?? '',
      last_attested_at: attested.at,
      firmware_sha256: attested.sha256,
      events_waiting: buffer.count(),
      events_dropped: buffer.dropped(),
      problem: (enrolment && (brokerProblem ?? shippingProblem)) ?? '',
    }
  }

  async function leave() {
    enrolment = undefined
    cancelShipping?.()
    cancelShipping = undefined
    await disconnect()
    files.forget()
    buffer.clear()
    boot = undefined
    attested = { at: '', sha256: '' }
    shippingProblem = undefined
    told()
  }

  return {
    status,
    record,
    async start() {
      enrolment = files.enrolment()
      ends.push(clock.every(RENEWAL_MS, () => void work.run(look)))
      if (!enrolment) return
      await keepConnected()
      shipSoon()
      void work.run(renewIfDue)
    },
    enrol: (body: SocEnrolBody) =>
      work.run(async () => {
        const fresh = await enrolBox(deps, body)
        await disconnect()
        enrolment = fresh
        await keepConnected()
        record({ event: 'enrolled', severity: 'info', message: `enrolled at ${fresh.soc}` })
        return status()
      }),
    leave: () => work.run(async () => leave().then(status)),
    /** Before everything is forgotten: what waits is sent if the platform is there. */
    async goodbye() {
      if (!enrolment) return
      buffer.add({ event: 'factory_reset', severity: 'high', message: 'factory reset' })
      const sent = deps.shipper.ship(enrolment).catch(() => {})
      const { promise: late, resolve } = Promise.withResolvers<void>()
      const cancel = clock.after(GOODBYE_MS, resolve)
      await Promise.race([sent, late])
      cancel()
      await work.run(leave)
    },
    /** Resolves when what was asked until now is done. */
    async settled() {
      await work.idle()
      await shipping.idle()
    },
    async stop() {
      for (const end of ends.splice(0)) end()
      cancelShipping?.()
      await work.idle()
      await shipping.idle()
      await disconnect()
    },
  }
}
