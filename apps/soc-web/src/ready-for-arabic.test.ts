import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const HERE = import.meta.dirname
const UI = path.join(HERE, '../../../packages/ui/src')
const filesOf = (folder: string, pattern: string) =>
  globSync(pattern, { cwd: folder }).map((name) => {
    const text = readFileSync(path.join(folder, name), 'utf8')
    return { name, text: text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '') }
  })

/** What is the same in every language: names of products, protocols and settings. */
const NAMES = /^(YAML|SHA-256|s3:\S+)$/

test('no page has words outside the catalogues', () => {
  const found = filesOf(HERE, '**/*.tsx').flatMap(({ name, text }) => [
    // Between tags, and not between the signs of a comparison or of a type.
    ...[...text.matchAll(/[\w"'}/-]>([^<>{}();=&|]*[A-Za-z]{2}[^<>{}();=&|]*)<\/?[A-Za-z]/g)].map(
      ([, said = '']) => [name, said.trim().replace(/^return\b.*$/, '')],
    ),
    ...[
      ...text.matchAll(
        /\s(?:aria-label|title|label|hint|placeholder|alt|text)="([^"]*[A-Za-z]{2}[^"]*)"/g,
      ),
    ].map(([, said = '']) => [name, said]),
  ])
  assert.deepEqual(
    found.filter(([, said = '']) => said !== '' && !NAMES.test(said)),
    [],
  )
})

test('styles speak of start and end, not of left and right', () => {
  const styles = [...filesOf(HERE, '**/*.css'), ...filesOf(UI, '**/*.css')]
  assert.ok(styles.length > 10)
  const found = styles.flatMap(({ name, text }) =>
    [
      ...text.matchAll(
        /(?:margin|padding|border|inset)-(?:left|right)|(?:^|[\s;{])(?:left|right)\s*:|(?:text-align|float|clear)\s*:\s*(?:left|right)/gm,
      ),
      // Four values of which the two sides differ.
      ...[
        ...text.matchAll(/(?:margin|padding|inset)\s*:\s*(\S+) (\S+) (\S+) (\S+?)\s*[;}]/g),
      ].filter(([, , end, , start]) => end !== start),
    ].map(([said]) => `${name}: ${said.trim()}`),
  )
  assert.deepEqual(found, [])
})
