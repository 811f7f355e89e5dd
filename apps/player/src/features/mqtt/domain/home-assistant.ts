export type DeviceDescription = {
  /** Stays the same for the life of the box. */
  id: string
  name: string
  version: string
  /** Topics of this box begin with it. */
  base: string
}

const ADVANCE_MODES = ['off', 'continuous', 'repeat_one', 'hifz_repeat']

/**
 * What Home Assistant has to know to show the box as a device: its discovery message, by entity. There
 * is no media player among the MQTT entities, so the controls are buttons, a number and a selection.
 */
export function discoveryOf({ id, name, version, base }: DeviceDescription) {
  const state = `${base}/state`
  const sensor = (field: string, title: string, icon: string, more: object = {}) => ({
    p: 'sensor',
    unique_id: `${id}_${field}`,
    name: title,
    icon,
    state_topic: state,
    value_template: `{{ value_json.${field} }}`,
    ...more,
  })
  const button = (command: string, title: string, icon: string) => ({
    p: 'button',
    unique_id: `${id}_${command}`,
    name: title,
    icon,
    command_topic: `${base}/command/${command}`,
    payload_press: 'PRESS',
  })
  return {
    device: {
      identifiers: [id],
      name,
      manufacturer: 'Manara',
      model: 'Player',
      sw_version: version,
    },
    origin: { name: 'Manara', sw_version: version },
    availability_topic: `${base}/availability`,
    components: {
      state: sensor('state', 'State', 'mdi:play-circle'),
      now_playing: sensor('now_playing', 'Now playing', 'mdi:book-open-page-variant'),
      reciter: sensor('reciter', 'Reciter', 'mdi:account-voice'),
      next_prayer: sensor('next_prayer', 'Next prayer', 'mdi:mosque'),
      next_prayer_at: sensor('next_prayer_at', 'Next prayer at', 'mdi:clock-outline', {
        device_class: 'timestamp',
      }),
      adhan: {
        ...sensor('adhan', 'Adhan', 'mdi:bullhorn'),
        p: 'binary_sensor',
        payload_on: 'True',
        payload_off: 'False',
      },
      volume: {
        ...sensor('volume', 'Volume', 'mdi:volume-high'),
        p: 'number',
        command_topic: `${base}/command/volume`,
        min: 0,
        max: 100,
        step: 1,
      },
      mode: {
        ...sensor('mode', 'After the end', 'mdi:repeat'),
        p: 'select',
        command_topic: `${base}/command/mode`,
        options: ADVANCE_MODES,
      },
      play_pause: button('play_pause', 'Play or pause', 'mdi:play-pause'),
      stop: button('stop', 'Stop', 'mdi:stop'),
      next: button('next', 'Next surah', 'mdi:skip-next'),
      prev: button('prev', 'Previous surah', 'mdi:skip-previous'),
      stop_adhan: button('stop_adhan', 'Stop the adhan', 'mdi:bell-off'),
    },
  }
}

export const discoveryTopic = (prefix: string, id: string) => `${prefix}/device/${id}/config`
