import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { it } from 'node:test'
import { startTestSoc } from '../../testing/test-soc.ts'

it('POST /reports as PDF is printed by Chromium and downloads as the bytes of its hash', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const { status, body } = await soc.call('POST', '/reports', {
    as,
    body: { report_type: 'executive', format: 'pdf' },
  })
  assert.equal(status, 201)
  assert.equal(body.content_encoding, 'base64')
  const pdf = Buffer.from(body.content, 'base64')
  assert.equal(pdf.subarray(0, 5).toString(), '%PDF-')
  assert.equal(body.sha256, createHash('sha256').update(pdf).digest('hex'))

  const file = await soc.http.inject({
    url: `/api/v1/reports/${body.id}/download`,
    headers: { authorization: `Bearer ${as}` },
  })
  assert.equal(file.headers['content-type'], 'application/pdf')
  assert.ok(file.rawPayload.equals(pdf))
})
