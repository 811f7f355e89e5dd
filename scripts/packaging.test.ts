import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { runInNewContext } from 'node:vm'
import { transformSync } from 'esbuild'

const PACKAGING = fileURLToPath(new URL('../packaging/', import.meta.url))
const textOf = (name: string) => readFileSync(path.join(PACKAGING, name), 'utf8')

test('the Wi-Fi rule is ECMAScript 5: the engine of polkit on Debian leaves a file with more than that out', () => {
  const source = textOf('manara-wifi.rules')
  const as = (target: string) => transformSync(source, { target }).code
  assert.equal(as('es5'), as('esnext'))
})

test('the Wi-Fi rule lets the service join networks, and nobody do anything else', () => {
  type Rule = (action: { id: string }, subject: { user: string }) => unknown
  const rules: Rule[] = []
  const polkit = { addRule: (rule: Rule) => rules.push(rule), Result: { YES: 'yes' } }
  runInNewContext(textOf('manara-wifi.rules'), { polkit })
  const asked = (id: string, user: string) => rules.map((rule) => rule({ id }, { user }))
  const join = 'org.freedesktop.NetworkManager.network-control'
  assert.deepEqual(asked(join, 'manara'), ['yes'])
  assert.deepEqual(asked(join, 'guest'), [undefined])
  assert.deepEqual(asked('org.freedesktop.login1.power-off', 'manara'), [undefined])
  assert.deepEqual(asked('com.example.org.freedesktop.NetworkManager.x', 'manara'), [undefined])
})

// By udev's own rules; what is not listed here comes with the event from the kernel.
const FOUND_OUT_BY: Record<string, string> = {
  ID_BUS: '60-persistent-storage.rules',
  ID_FS_USAGE: '60-persistent-storage.rules',
  SYSTEMD_READY: '99-systemd.rules',
}

test('the rules of udev come after those that find out what they ask for', () => {
  const files = globSync('*-*.rules', { cwd: PACKAGING }).filter((name) => /^\d/.test(name))
  assert.ok(files.length > 0)
  for (const file of files) {
    for (const [, name = ''] of textOf(file).matchAll(/ENV\{(\w+)\}[!=]=/g)) {
      const by = FOUND_OUT_BY[name] ?? ''
      // udev reads all folders as one, in the order of the names.
      assert.ok(file > by, `${file} asks for ${name}, which ${by} finds out`)
    }
  }
})
