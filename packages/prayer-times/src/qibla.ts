import { Coordinates, Qibla } from 'adhan'

/** The bearing of the Kaaba along the great circle, in degrees clockwise from true north: 0..360. */
export function qibla({ lat, lng }: { lat: number; lng: number }): number {
  return Qibla(new Coordinates(lat, lng))
}
