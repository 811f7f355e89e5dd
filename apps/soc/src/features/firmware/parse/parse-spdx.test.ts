import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSpdx } from './parse-spdx.ts'

const MAIN = { SPDXID: 'SPDXRef-fw', name: 'WX-200', versionInfo: '3.8.0' }
const PART = { SPDXID: 'SPDXRef-1', name: 'busybox' }

const read = (file: object) => {
  const bom = parseSpdx({ packages: [MAIN, PART], ...file })
  return 'problem' in bom ? assert.fail(bom.problem) : bom
}

const by = (spdxElementId: string, relationshipType: string, relatedSpdxElement: string) => ({
  relationships: [{ spdxElementId, relationshipType, relatedSpdxElement }],
})

for (const [how, file] of [
  ['straight', { documentDescribes: ['SPDXRef-fw'] }],
  ['by a relationship', by('SPDXRef-DOCUMENT', 'DESCRIBES', 'SPDXRef-fw')],
  ['by a relationship the other way round', by('SPDXRef-fw', 'DESCRIBED_BY', 'SPDXRef-DOCUMENT')],
  [
    'by a relationship beside an empty list',
    { documentDescribes: [], ...by('SPDXRef-DOCUMENT', 'DESCRIBES', 'SPDXRef-fw') },
  ],
] as const) {
  test(`the firmware is named ${how}`, () => {
    const { about, components } = read(file)
    assert.deepEqual([about.product, about.version], ['WX-200', '3.8.0'])
    assert.deepEqual(
      components?.map(({ name }) => name),
      ['busybox'],
    )
  })
}

test('who made a part is told where no supplier is asserted, as tools for images write it', () => {
  const part = { ...PART, supplier: 'NOASSERTION', originator: 'Person: Nour (nour@example)' }
  assert.equal(read({ packages: [part] }).components?.[0]?.supplier, 'Nour')
})

test('a version that is not asserted is none', () => {
  const main = { ...MAIN, versionInfo: 'NOASSERTION' }
  const { about } = read({ packages: [main], documentDescribes: [MAIN.SPDXID] })
  assert.equal(about.version, null)
})
