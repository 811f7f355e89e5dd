import { computed } from '@preact/signals'
import { box, clock } from '../here.ts'
import { wallClock } from './wall-clock.ts'

/**
 * A moment on the clock of the box, as the UTC parts of the date. A box that has no place yet has no
 * zone that anybody chose: that of the phone is nearer.
 */
export const boxClock = (seconds: number): Date =>
  wallClock(box.prayer.value?.valid ? box.settings.value?.timezone : undefined, seconds)

/** By the calendar of the box, YYYY-MM-DD. */
export const today = computed(() =>
  boxClock(box.secondsNow(clock.value)).toISOString().slice(0, 10),
)
