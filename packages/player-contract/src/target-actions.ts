/** What a card or a schedule may do. Without a schema, for pages. */
export const TARGET_ACTIONS = [
  'pause',
  'resume',
  'stop',
  'next',
  'prev',
  'volume_up',
  'volume_down',
  'sleep',
  'grade_again',
  'grade_hesitant',
  'grade_good',
] as const
