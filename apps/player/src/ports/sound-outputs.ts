/** `id` is `alsa:<device>` or `pipewire:<node>`; the same device has the same one when it comes back. */
export type SoundOutput = { id: string; name: string }

/** Where sound can go on this machine. */
export type SoundOutputs = {
  /** As of the last look. */
  known(): SoundOutput[]
  look(): Promise<SoundOutput[]>
}
