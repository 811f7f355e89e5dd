import assert from 'node:assert/strict'
import { test } from 'node:test'
import { response } from './case-blocks.ts'
import type { PeriodMaterial } from './material.ts'
import { compliancePeriod } from './period-reports.ts'
import { renderMarkdown } from './render-markdown.ts'

const summary = { created_at: '2026-01-01T00:00:00Z', title: 'c', severity: 'low', status: 'open' }
const ledger = { valid: true, entries: 1 }
const numbers = { mtta_seconds: null, mttr_seconds: null }

const told = (amount: number) => {
  const cases = Array.from({ length: amount }, () => ({ summary, ledger }))
  const material = { numbers, cases, actions: [] } as unknown as PeriodMaterial
  return renderMarkdown({ title: 't', subtitle: 's', blocks: compliancePeriod(material) })
}

test('a report that leaves cases out says so: nobody takes it for all of them', () => {
  assert.doesNotMatch(told(200), /Only the latest/)
  const cut = told(201)
  assert.match(cut, /Only the latest 200 are listed, and only their ledgers were recomputed/)
  assert.match(cut, /Cases looked at:\*\* 200, of more/)
  assert.match(cut, /Ledgers that verify:\*\* 200$/m)
  assert.equal(cut.match(/1 entries, valid/g)?.length, 200)
})

test('so does one that leaves out what was done', () => {
  const action = { at: '2026-01-01T00:00:00Z', what: 'scan w', by: 'a', status: 'completed' }
  const rows = (amount: number) =>
    renderMarkdown({
      ...{ title: 't', subtitle: 's' },
      blocks: response(Array.from({ length: amount }, () => action)),
    })
  assert.doesNotMatch(rows(500), /Only the latest/)
  assert.match(rows(501), /Only the latest 500 are listed/)
  assert.equal(rows(501).match(/scan w/g)?.length, 500)
})
