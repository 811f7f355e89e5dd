/** How much of the 114 is there. */
export const Ring = ({ part }: { part: number }) => (
  <svg class="ring" viewBox="0 0 40 40" aria-hidden="true" data-whole={part >= 1}>
    <circle cx="20" cy="20" r="16" />
    <circle
      cx="20"
      cy="20"
      r="16"
      pathLength={100}
      stroke-dasharray={`${part * 100} 100`}
      transform="rotate(-90 20 20)"
    />
    {part >= 1 && <path d="M13.5 20.500l4.5 4.5 8.5-9.5" />}
  </svg>
)
