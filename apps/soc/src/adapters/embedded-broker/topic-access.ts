import { evidenceTopic, requestTopic } from '@manara/attestation/topics'
import type { Admitted } from '../../ports/device-broker.ts'

const SPARKPLUG = /^spBv1\.0\/([^/]+)\/[ND](?:BIRTH|DEATH|DATA)\/([^/]+)(?:\/[^/]+)?$/

export const isSparkplug = (topic: string): boolean => SPARKPLUG.test(topic)

/** A device publishes its answers, and a gateway what its own edge node says. */
export function mayPublish({ deviceId, sparkplugNode }: Admitted, topic: string): boolean {
  if (topic === evidenceTopic(deviceId)) return true
  const [, group, node] = SPARKPLUG.exec(topic) ?? []
  return group !== undefined && `${group}/${node}` === sparkplugNode
}

/** Only what cannot match a topic of anybody else. */
export const maySubscribe = ({ deviceId }: Admitted, filter: string): boolean =>
  filter.startsWith(`devices/${deviceId}/`)

/** Whether messages on the topic of requests come to a subscriber of the filter. */
export function takesRequests(deviceId: string, filter: string): boolean {
  const asked = filter.split('/')
  const topic = requestTopic(deviceId).split('/')
  for (const [at, level] of asked.entries()) {
    if (level === '#') return true
    if (level !== '+' && level !== topic[at]) return false
  }
  return asked.length === topic.length
}
