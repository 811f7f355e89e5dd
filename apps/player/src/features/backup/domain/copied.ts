/**
 * Every table of the store and whether a backup has it. What the owner has put into the box is
 * copied, those first that others point to; what the box knows of itself is left as it is.
 */
export const TABLES: Record<string, 'copied' | 'left'> = {
  settings: 'copied',
  favorites: 'copied',
  stations: 'copied',
  prayer: 'copied',
  schedules: 'copied',
  nfc_cards: 'copied',
  queue: 'copied',
  resume: 'copied',
  verse_marks: 'copied',
  learners: 'copied',
  learner_plans: 'copied',
  portions: 'copied',
  gradings: 'copied',
  practice_days: 'copied',
  learner_turn: 'copied',
  // Its token, and who vouched for the time.
  device: 'left',
  // Read from the card again.
  durations: 'left',
  heard_files: 'left',
  // What was called a moment ago is not called again after the restart. Schedules count anew.
  fired: 'left',
  sleep_timer: 'left',
  soc_events: 'left',
}

export const COPIED = Object.keys(TABLES).filter((name) => TABLES[name] === 'copied')

/** Which of a table's rows a backup brings back: another machine has other loudspeakers and networks. */
export const ofOwner = (name: string) =>
  name === 'settings' ? `key NOT IN ('audio_output', 'ssid')` : 'TRUE'
