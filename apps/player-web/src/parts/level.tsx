import type { IconName } from '@manara/ui/icons'
import { Icon } from '@manara/ui/parts/icon'
import { Range, type RangeProps } from '@manara/ui/parts/range'

/** A slider between what it is about and where it stands. */
export const Level = ({ icon, ...range }: RangeProps & { icon: IconName }) => (
  <div class="volume" dir="ltr">
    <Icon name={icon} />
    <Range {...range} />
    <span>{range.valueText(range.value)}</span>
  </div>
)
