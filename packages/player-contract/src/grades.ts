// Without the schemas, so that a page that offers them does not carry those.

/** How a portion was recited. */
export const GRADES = ['again', 'hesitant', 'good'] as const
export type Grade = (typeof GRADES)[number]

/** The ways in which a plan goes through the Quran. */
export const ORDERS = ['forward', 'backward', 'ottoman'] as const
