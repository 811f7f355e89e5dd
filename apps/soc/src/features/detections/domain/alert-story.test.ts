import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storedLog } from '../../../testing/stored-log.ts'
import { entityOf, storyOf } from './alert-story.ts'

test('what ran, by whom, against what, and how it is called', () => {
  const log = storedLog({
    host: 'ws5',
    user: 'ann',
    dst_ip: '203.0.113.7',
    fields: {
      CommandLine: 'rundll32 comsvcs.dll, MiniDump',
      ParentImage: 'C:\\x.exe',
      TargetImage: 'C:\\Windows\\lsass.exe',
    },
  })
  assert.equal(
    storyOf(log, ['T1003.001']),
    [
      'Host: ws5',
      'User: ann',
      'Command line: rundll32 comsvcs.dll, MiniDump',
      'Parent: C:\\x.exe',
      'Target: C:\\Windows\\lsass.exe',
      'To: 203.0.113.7',
      'ATT&CK: T1003.001 LSASS Memory',
    ].join('\n'),
  )
})

test('an alert is always about somebody', () => {
  assert.equal(entityOf(storedLog({ host: null, user: 'ann' })), 'ann')
  assert.equal(entityOf(storedLog({ host: null, user: null, source: 'vpn' })), 'vpn')
})
