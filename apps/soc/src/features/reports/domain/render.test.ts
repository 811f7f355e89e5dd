import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { barChart, columnChart } from './charts.ts'
import { facts, heading, paragraph, type ReportDocument, table } from './document.ts'
import { renderHtml } from './render-html.ts'
import { renderMarkdown } from './render-markdown.ts'

const documentOf = (text: string): ReportDocument => ({
  title: text,
  subtitle: text,
  blocks: [
    heading(text),
    paragraph(text),
    facts([text, text]),
    table([text], [[text]], text),
    table([text], [], text),
    {
      kind: 'chart',
      title: text,
      svg: barChart(text, [{ label: text, value: 1, colour: 'red' }]),
    },
    { kind: 'chart', title: text, svg: columnChart(text, [{ label: text, value: 3 }], 'red') },
  ],
})

// What the renderers write themselves, whatever the text, but for the places where long words break.
const tagsOf = (markup: string) => markup.match(/<(?!wbr>)[a-z/!][^>]*>/gi) ?? []
const attacks = fc.oneof(
  fc.string(),
  fc.constantFrom('<script>alert(1)</script>', '" onload="x', "'><img src=x>", '</svg><b>', '&lt;'),
)

describe('a report quotes what attackers wrote', () => {
  it('as text in HTML: no text adds a tag', () => {
    const plain = tagsOf(renderHtml(documentOf('plain'))).length
    fc.assert(
      fc.property(attacks, (text) => {
        assert.equal(tagsOf(renderHtml(documentOf(text.replaceAll('\n', '')))).length, plain)
      }),
    )
  })

  it('with the signs in sight that would turn it around', () => {
    const name = documentOf('invoice\u202egpj.exe')
    for (const rendered of [renderHtml(name), renderMarkdown(name)]) {
      assert.doesNotMatch(rendered, /\u202e/)
      assert.match(rendered, /invoice\\?\[U\\?\+202E\\?\]/)
    }
  })

  it('a long word may break within, and is still the same word', () => {
    const hash = `<b>${'a1b2c3d4'.repeat(8)}`
    const html = renderHtml(documentOf(hash))
    assert.ok(html.includes('<wbr>'))
    const cell = /<td dir="auto">(.*?)<\/td>/.exec(html)?.[1]
    assert.equal(cell?.replaceAll('<wbr>', ''), hash.replace('<b>', '&lt;b&gt;'))
  })

  it('as text in Markdown: no text adds a tag, a row or a line', () => {
    const plain = renderMarkdown(documentOf('plain'))
    fc.assert(
      fc.property(attacks, (text) => {
        const rendered = renderMarkdown(documentOf(text))
        assert.equal(tagsOf(rendered).length, tagsOf(plain).length)
        assert.equal(rendered.split('\n').length, plain.split('\n').length)
      }),
    )
  })

  for (const [text, shown] of [
    ['a | b', 'a \\| b'],
    ['**bold**', '\\*\\*bold\\*\\*'],
    ['[link](javascript:x)', '\\[link\\]\\(javascript:x\\)'],
    ['- item', '\\- item'],
    ['1. item', '1\\. item'],
    ['two\nlines', 'two lines'],
  ] as const) {
    it(`Markdown shows ${JSON.stringify(text)} as it is`, () => {
      assert.ok(renderMarkdown(documentOf(text)).includes(`\n\n${shown}\n\n`))
    })
  }
})

describe('a chart', () => {
  it('draws a bar for each value, the longest over the whole width', () => {
    const svg = barChart('Alerts', [
      { label: 'high', value: 10, colour: 'red' },
      { label: 'low', value: 5, colour: 'blue' },
    ])
    const widths = [...svg.matchAll(/<rect[^>]* width="([\d.]+)"/g)].map((match) =>
      Number(match[1]),
    )
    assert.deepEqual(widths, [470, 235])
  })

  it('of nothing is a chart without bars, not an error', () => {
    assert.match(columnChart('Nothing', [], 'red'), /^<svg .*<\/svg>$/)
    assert.match(barChart('Zero', [{ label: 'a', value: 0, colour: 'red' }]), /width="0.0"/)
  })

  it('is one line, since Markdown ends embedded markup at an empty one', () => {
    assert.ok(!barChart('a\n\nb', [{ label: 'x\n\ny', value: 1, colour: 'red' }]).includes('\n'))
  })
})
