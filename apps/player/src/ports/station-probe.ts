/** What an address turned out to be. Resolves always: an address that leads nowhere is an answer. */
export type ProbeStation = (url: string) => Promise<StationFinding>

export type StationFinding =
  | {
      playable: true
      /** Such as audio/mpeg; of a playlist of segments its own. */
      content_type: string
      /** What the station calls itself; empty when it does not say. */
      name: string
      /** Kilobits a second; 0 when it does not say. */
      bitrate: number
    }
  | { playable: false; reason: string }
