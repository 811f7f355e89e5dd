import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { StartError } from './errors.ts'
import { readSettingFile } from './setting-file.ts'

test('a file that a setting names and is not there is one line with the name of the setting', () => {
  assert.throws(
    () => readSettingFile('SOC_TLS_CERT', '/nowhere/cert.pem'),
    (error) => {
      assert.ok(error instanceof StartError)
      assert.equal(
        error.message,
        'SOC_TLS_CERT: /nowhere/cert.pem cannot be read: there is no such file',
      )
      return true
    },
  )
  assert.throws(() => readSettingFile('SOC_TLS_CERT', tmpdir()), /it is a directory/)
})
