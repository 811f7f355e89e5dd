export type Told = { event: string; data: Record<string, unknown> }

/** The events of a finished stream. */
export const eventsOf = (text: string): Told[] =>
  text
    .split('\n\n')
    .filter((block) => block.startsWith('event: '))
    .map((block) => {
      const [, event = '', data = ''] = /^event: (\w+)\ndata: (.*)$/s.exec(block) ?? []
      return { event, data: JSON.parse(data) }
    })

export const saidIn = (events: Told[]): string =>
  events
    .filter(({ event }) => event === 'token')
    .map(({ data }) => data.content)
    .join('')
