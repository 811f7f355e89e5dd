import type { Tlp } from '@manara/soc-contract/iocs'
import { strictest } from './candidate.ts'

/** The marking definitions of TLP 2.0 (OASIS), whose ids never change. */
export const MARKINGS: Record<Tlp, string> = {
  clear: 'marking-definition--94868c89-83c2-464b-929b-a1a8aa3c8487',
  green: 'marking-definition--bab4a63c-aed9-4cf5-a766-dfca5abac2bb',
  amber: 'marking-definition--55d920b0-5e8b-4f79-9ee9-91f868d9b421',
  'amber+strict': 'marking-definition--939a9414-2ddd-4d32-a0cd-375ea402b003',
  red: 'marking-definition--e828b379-4e03-4974-9ac4-e53a884c97c1',
}

// STIX 2.1 itself names those of TLP 1.0.
const FIRST: Record<string, Tlp> = {
  'marking-definition--613f2e26-407d-48c7-9eca-b8e91df99dc9': 'clear',
  'marking-definition--34098fce-860f-48ae-8e50-ebd3cc5e41da': 'green',
  'marking-definition--f88d31f6-486f-44da-b317-01333bde0b82': 'amber',
  'marking-definition--5e57c739-391a-4eb3-b6be-7d15ca92d5ed': 'red',
}

const BY_ID = new Map<string, Tlp>([
  ...Object.entries(FIRST),
  ...Object.entries(MARKINGS).map(([tlp, id]) => [id, tlp as Tlp] as const),
])

export const tlpOfMarkings = (refs: string[]): Tlp | undefined =>
  strictest(refs.map((ref) => BY_ID.get(ref)))
