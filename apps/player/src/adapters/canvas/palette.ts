/** Light on dark, every text at least 7:1 on the ground, and apart in 16-bit colour too. */
export const GROUND = '#06180f'
export const TEXT = '#ffffff'
export const QUIET = '#b5d6c6'
export const GOLD = '#f0c95c'
export const TROUGH = '#24523d'
export const ALARM = '#ff9d8a'
