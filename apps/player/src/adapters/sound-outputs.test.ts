import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alsaDevices, pipewireSinks } from './sound-outputs.ts'

// As a Raspberry Pi 4 with a USB loudspeaker tells them.
const CARDS = ` 0 [Headphones     ]: bcm2835_headpho - bcm2835 Headphones
                      bcm2835 Headphones
 1 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0
                      vc4-hdmi-0
 2 [UACDemoV10     ]: USB-Audio - UACDemoV1.0
                      Jieli Technology UACDemoV1.0 at usb-0000:01:00.0-1.3, full speed
`
const DEVICES = `00-00: bcm2835 Headphones : bcm2835 Headphones : playback 8
01-00: MAI PCM i2s-hifi-0 : MAI PCM i2s-hifi-0 : playback 1
02-00: USB Audio : USB Audio : playback 1 : capture 1
02-01: USB Audio #1 : USB Audio #1 : capture 1
`

test('sound cards are listed by their names, without what only records', () => {
  assert.deepEqual(alsaDevices(CARDS, DEVICES), [
    {
      id: 'alsa:plughw:CARD=Headphones,DEV=0',
      name: 'bcm2835 Headphones: bcm2835 Headphones',
    },
    { id: 'alsa:plughw:CARD=vc4hdmi0,DEV=0', name: 'vc4-hdmi-0: MAI PCM i2s-hifi-0' },
    { id: 'alsa:plughw:CARD=UACDemoV10,DEV=0', name: 'UACDemoV1.0: USB Audio' },
  ])
  assert.deepEqual(alsaDevices('--- no soundcards ---\n', ''), [])
})

test('sinks of PipeWire are listed by their nodes', () => {
  const node = (media: string, name: string, description?: string) => ({
    type: 'PipeWire:Interface:Node',
    info: {
      props: { 'media.class': media, 'node.name': name, 'node.description': description },
    },
  })
  const dump = [
    { type: 'PipeWire:Interface:Core' },
    node('Audio/Sink', 'alsa_output.usb', 'USB Speaker'),
    node('Audio/Source', 'alsa_input.usb', 'Microphone'),
  ]
  assert.deepEqual(pipewireSinks(JSON.stringify(dump)), [
    { id: 'pipewire:alsa_output.usb', name: 'USB Speaker' },
  ])
  assert.deepEqual(pipewireSinks(''), [])
})
