import type { ComponentChildren } from 'preact'

import { asSeen, cutAt, realHost } from './as-seen.ts'

/**
 * The Markdown that people use in comments, as elements: never as HTML of the text's own. Links too
 * are what is seen.
 */
export function Markdown({ text }: { text: string }) {
  return <div class="markdown">{blocksOf(asSeen(cutAt(20_000, text)))}</div>
}

function blocksOf(text: string): ComponentChildren[] {
  const blocks: ComponentChildren[] = []
  const lines = text.split(/\r?\n/)
  let at = 0
  const gather = (isPart: (line: string) => boolean) => {
    const from = at
    while (at < lines.length && isPart(lines[at] ?? '')) at += 1
    return lines.slice(from, at)
  }
  while (at < lines.length) {
    const line = lines[at] ?? ''
    const key = blocks.length
    const heading = /^(#{1,4}) +(.*)$/.exec(line)
    if (line.startsWith('```')) {
      at += 1
      const code = gather((one) => !one.startsWith('```'))
      at += 1
      blocks.push(
        <pre key={key} dir="ltr">
          {code.join('\n')}
        </pre>,
      )
    } else if (heading) {
      at += 1
      blocks.push(
        <h4 key={key} dir="auto">
          {inline(heading[2] ?? '')}
        </h4>,
      )
    } else if (/^[-*] /.test(line)) {
      const items = gather((one) => /^[-*] /.test(one))
      blocks.push(
        <ul key={key}>
          {items.map((one, index) => (
            <li key={index} dir="auto">
              {inline(one.slice(2))}
            </li>
          ))}
        </ul>,
      )
    } else if (line.startsWith('> ')) {
      const quote = gather((one) => one.startsWith('> '))
      blocks.push(
        <blockquote key={key} dir="auto">
          {quote.map((one) => inline(one.slice(2)))}
        </blockquote>,
      )
    } else if (line.trim() === '') at += 1
    else {
      const words = gather((one) => one.trim() !== '' && !/^(#{1,4} |```|[-*] |> )/.test(one))
      // A line that looks like a beginning and is none stands for itself.
      if (words.length === 0) words.push(lines[at++] ?? '')
      blocks.push(
        <p key={key} dir="auto">
          {inline(words.join('\n'))}
        </p>,
      )
    }
  }
  return blocks
}

const MARKS = /(`[^`\n]+`|\*\*[^*\n]+\*\*|\*[^*\n]+\*|https?:\/\/[^\s<>()]+)/

function inline(text: string): ComponentChildren[] {
  return text.split(MARKS).map((part, at) => {
    if (at % 2 === 0) return part
    if (part.startsWith('`')) return <code key={at}>{part.slice(1, -1)}</code>
    if (part.startsWith('**')) return <b key={at}>{part.slice(2, -2)}</b>
    if (part.startsWith('*')) return <em key={at}>{part.slice(1, -1)}</em>
    return (
      <a key={at} class="link" href={part} rel="noreferrer noopener" target="_blank">
        {part}
        {realHost(part) && ` (${realHost(part)})`}
      </a>
    )
  })
}
