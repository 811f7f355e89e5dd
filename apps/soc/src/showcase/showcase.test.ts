import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { Alert } from '@manara/soc-contract/alerts'
import { canonicalJson } from '@manara/soc-contract/canonical-json'
import { CaseDetail } from '@manara/soc-contract/cases'
import { Correlation } from '@manara/soc-contract/correlations'
import { Attestation, Device } from '@manara/soc-contract/cps'
import { DetectionRule } from '@manara/soc-contract/detections'
import { Endpoint } from '@manara/soc-contract/edr'
import { Firmware } from '@manara/soc-contract/firmware'
import { Hunt } from '@manara/soc-contract/hunts'
import { Ioc } from '@manara/soc-contract/iocs'
import { Log } from '@manara/soc-contract/siem'
import { showcase } from './showcase.ts'

const { alerts, cases, devices, endpoints, hunts, logs, rules, sites } = showcase
const idsOf = (records: { id: string }[]) => new Set(records.map(({ id }) => id))

test('the showcase has the shapes of the contract', () => {
  for (const alert of alerts) Alert.parse(alert)
  for (const record of cases) CaseDetail.parse(record)
  for (const rule of rules) DetectionRule.parse(rule)
  for (const log of logs) Log.parse(log)
  for (const hunt of hunts) Hunt.parse(hunt)
  for (const endpoint of endpoints) Endpoint.parse(endpoint)
  for (const device of devices) Device.parse(device)
  for (const one of showcase.attestations) Attestation.parse(one)
  for (const ioc of showcase.iocs) Ioc.parse(ioc)
  for (const one of showcase.firmware) Firmware.parse(one)
  for (const one of showcase.correlations) Correlation.parse(one)
})

test('every id in the showcase is unique', () => {
  const all = [...alerts, ...cases, ...devices, ...endpoints, ...hunts, ...logs, ...rules, ...sites]
  assert.equal(idsOf(all).size, all.length)
})

test('alerts name rules, events, sites and cases of the story', () => {
  for (const alert of alerts) {
    if (alert.rule_id) assert.ok(idsOf(rules).has(alert.rule_id), alert.title)
    if (alert.source_ref) assert.ok(idsOf(logs).has(alert.source_ref), alert.title)
    assert.ok(idsOf(sites).has(alert.site_id ?? ''), alert.title)
    const owner = cases.find(({ id }) => id === alert.case_id)
    assert.equal(owner?.alert_ids.includes(alert.id) ?? false, alert.case_id !== null)
  }
  for (const { alert_ids } of cases) for (const id of alert_ids) assert.ok(idsOf(alerts).has(id))
})

test('correlations name alerts of the story', () => {
  for (const { evidence, title } of showcase.correlations) {
    assert.equal(evidence.length, 2, title)
    for (const { id } of evidence) assert.ok(idsOf(alerts).has(id), title)
  }
})

test('the evidence ledger of the showcase is a valid chain', () => {
  const [image] = cases.flatMap(({ evidence }) => evidence)
  let previous = '0'.repeat(64)
  for (const { entry_hash, ...entry } of image?.custody_entries ?? assert.fail('no evidence')) {
    assert.equal(entry.prev_hash, previous)
    assert.equal(entry_hash, createHash('sha256').update(canonicalJson(entry)).digest('hex'))
    previous = entry_hash
  }
})
