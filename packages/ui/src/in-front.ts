import { signal } from '@preact/signals'

/** Where what covers the page shows notices; the last one is in front, and all else is out of reach. */
const places = signal<HTMLElement[]>([])

/** The place of the one in front, while the page is covered. */
export const placeInFront = () => places.value.at(-1)

/** It covers the page, until what this answers is called. */
export function comeInFront(place: HTMLElement): () => void {
  places.value = [...places.peek(), place]
  return () => {
    places.value = places.peek().filter((one) => one !== place)
  }
}
