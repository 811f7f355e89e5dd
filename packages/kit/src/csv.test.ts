import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvRows } from './csv.ts'

const CASES: [string, string, [number, string[]][]][] = [
  [
    'plain rows',
    'a,b\n1,2\n',
    [
      [1, ['a', 'b']],
      [2, ['1', '2']],
    ],
  ],
  [
    'quotes with separators and line ends',
    'a,b\n"1,\n""x""",2\n3,4',
    [
      [1, ['a', 'b']],
      [2, ['1,\n"x"', '2']],
      [4, ['3', '4']],
    ],
  ],
  [
    'empty lines count',
    'a\r\n\r\nb\r\n',
    [
      [1, ['a']],
      [3, ['b']],
    ],
  ],
  [
    'semicolons, with a byte order mark',
    '\ufeffa;b\n1;2',
    [
      [1, ['a', 'b']],
      [2, ['1', '2']],
    ],
  ],
  [
    'comments count as lines',
    '# said before\na,b\n# between\n1,2',
    [
      [2, ['a', 'b']],
      [4, ['1', '2']],
    ],
  ],
  [
    'a quote that never ends is text',
    'a,"b\n1,2',
    [
      [1, ['a', '"b']],
      [2, ['1', '2']],
    ],
  ],
]

for (const [name, text, rows] of CASES) {
  test(`CSV: ${name}`, () => {
    assert.deepEqual(
      csvRows(text).rows.map(({ line, cells }) => [line, cells]),
      rows,
    )
  })
}
