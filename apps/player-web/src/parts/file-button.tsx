import type { IconName } from '@manara/ui/icons'
import { Icon } from '@manara/ui/parts/icon'
import { attempt } from '../here.ts'

type FileButtonProps = {
  label: string
  /** Endings and kinds of files, as an input takes them. */
  accept: string
  icon?: IconName
  look?: 'main' | 'line'
  multiple?: boolean
  disabled?: boolean
  onChoose(files: File[]): unknown
}

/** A button that has files of the phone chosen; a choice that is called off is none. */
export const FileButton = ({
  label,
  accept,
  icon = 'upload',
  look,
  multiple = false,
  disabled = false,
  onChoose,
}: FileButtonProps) => (
  <label class="button" data-look={look} data-disabled={disabled}>
    <Icon name={icon} />
    {label}
    <input
      type="file"
      class="hidden"
      accept={accept}
      multiple={multiple}
      disabled={disabled}
      onChange={({ currentTarget }) => {
        const files = [...(currentTarget.files ?? [])]
        // Else the same one, chosen again after a failure, would be no change.
        currentTarget.value = ''
        // One on a drive elsewhere may not be readable.
        if (files.length > 0) void attempt(async () => onChoose(files))
      }}
    />
  </label>
)
