import type { WebApp } from './apps.ts'
import type { Bundle } from './bundle.ts'

export type Weight = { firstView: number; fonts: number; heaviestPart: number; over: string[] }

/** What the first view and the heaviest later part weigh in gzip, and which limit that breaks. */
export function weigh(app: WebApp, { first, fonts }: Bundle, sizes: Map<string, number>): Weight {
  const total = (names: string[]) => names.reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0)
  const early = fonts.filter((name) => app.firstFonts.some((start) => name.startsWith(start)))
  const later = [...sizes.keys()].filter((name) => name.endsWith('.js') && !first.includes(name))
  const firstView = total([...first, ...early])
  const heaviestPart = Math.max(0, ...later.map((name) => total([name])))
  const over: string[] = []
  if (firstView > app.firstView) over.push(`first view: ${firstView} of ${app.firstView} bytes`)
  if (heaviestPart > app.laterPart) over.push(`a part: ${heaviestPart} of ${app.laterPart} bytes`)
  return { firstView, fonts: total(early), heaviestPart, over }
}
