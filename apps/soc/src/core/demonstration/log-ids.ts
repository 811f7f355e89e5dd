const PREFIX = 'demo-'

/** Ids of the events of a load begin so. It is random: a sender may bring ids of its own. */
export const logIdsOf = (loadId: string) => `${PREFIX}${loadId}-`

/** Whether an event may be of the demonstration: enough for what is only counted. */
export const mayBeInvented = ({ id }: { id: string }) => id.startsWith(PREFIX)
