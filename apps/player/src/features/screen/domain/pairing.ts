import type { Facts } from './facts.ts'
import { WORDS } from './words.ts'

export function pairing({ language }: Facts, offer: { address: string; link: string }) {
  const words = WORDS[language].pairing
  return {
    screen: 'pairing' as const,
    isRtl: language === 'ar',
    title: words.title,
    hint: words.hint,
    address: offer.address.replace(/^https?:\/\//, ''),
    link: offer.link,
  }
}

/** The token is never served over the network, not even to those who know it. */
export const withoutLink = <Scene extends { link: string }>(scene: Scene): Scene => ({
  ...scene,
  link: '',
})
