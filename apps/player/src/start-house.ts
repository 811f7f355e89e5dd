import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { writeDurably } from '@manara/kit/write-durably'
import { createMqttBroker } from './adapters/mqtt-broker.ts'
import type { HouseParts } from './compose/house.ts'
import type { Config } from './config.ts'

/** What the broker of the house needs: the box keeps one name there for its life. */
export function houseOf(mqtt: NonNullable<Config['mqtt']>, dataDir: string): HouseParts {
  const id = boxId(path.join(dataDir, 'mqtt-id'))
  return {
    ...{ id, topic: mqtt.topic, discoveryPrefix: mqtt.discovery },
    openBroker: createMqttBroker(mqtt.url, id),
  }
}

function boxId(file: string): string {
  try {
    const kept = readFileSync(file, 'utf8').trim()
    if (/^manara_[0-9a-f]{8}$/.test(kept)) return kept
  } catch {
    // The first start with a broker.
  }
  const id = `manara_${randomBytes(4).toString('hex')}`
  writeDurably(file, id, 0o600)
  return id
}
