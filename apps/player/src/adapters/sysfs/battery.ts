import type { Battery } from '@manara/player-contract/battery'
import type { Tree } from './tree.ts'

const NONE: Battery = { present: false, voltage: 0, percentage: 0, charging: false }
const SUPPLIES = 'sys/class/power_supply'

// One lithium cell, empty to full; for gauges that tell a voltage and nothing else.
const EMPTY_V = 3.3
const FULL_V = 4.2

export async function readBattery(tree: Tree): Promise<Battery> {
  for (const name of await tree.list(SUPPLIES)) {
    const battery = await readSupply(tree, `${SUPPLIES}/${name}`)
    if (battery) return battery
  }
  return NONE
}

async function readSupply(tree: Tree, supply: string): Promise<Battery | undefined> {
  const [type, scope, present, status] = await Promise.all(
    ['type', 'scope', 'present', 'status'].map((file) => tree.read(`${supply}/${file}`)),
  )
  // `Device` is the battery of a mouse or a remote control.
  if (type !== 'Battery' || scope === 'Device' || present === '0') return undefined
  const microvolts = await tree.number(`${supply}/voltage_now`)
  const capacity = await tree.number(`${supply}/capacity`)
  const voltage = Math.round((microvolts ?? 0) / 1000) / 1000
  const percentage = capacity ?? ((voltage - EMPTY_V) / (FULL_V - EMPTY_V)) * 100
  return {
    present: true,
    voltage,
    percentage: Math.round(Math.min(100, Math.max(0, percentage))),
    charging: status === 'Charging',
  }
}
