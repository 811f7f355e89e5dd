import { fileURLToPath } from 'node:url'
import type { Canvas, SKRSContext2D } from '@napi-rs/canvas'
import type { OpenPainter, Painter, Scene } from '../ports/screen.ts'
import { drawAdhan } from './canvas/draw-adhan.ts'
import { drawError } from './canvas/draw-error.ts'
import { drawIdle } from './canvas/draw-idle.ts'
import { drawNowPlaying } from './canvas/draw-now-playing.ts'
import { drawPairing, type QrCode } from './canvas/draw-pairing.ts'
import { drawUpdate } from './canvas/draw-update.ts'
import { GROUND } from './canvas/palette.ts'
import { HEIGHT, WIDTH } from './canvas/sides.ts'
import { FONT } from './canvas/text.ts'

const faces = () => [
  import.meta.resolve('@expo-google-fonts/amiri/400Regular/Amiri_400Regular.ttf'),
  import.meta.resolve('@expo-google-fonts/amiri/700Bold/Amiri_700Bold.ttf'),
]

/** Draws with Skia, which shapes and orders Arabic. */
export function createCanvasPainter(): OpenPainter {
  let opened: Promise<Painter> | undefined
  return () => {
    opened ??= open()
    return opened
  }
}

// Loaded when a screen is there or asked for: it is a quarter of the memory of the service.
async function open(): Promise<Painter> {
  const { createCanvas, GlobalFonts } = await import('@napi-rs/canvas')
  const { generate } = await import('lean-qr')
  for (const face of faces()) {
    const file = fileURLToPath(face)
    if (!GlobalFonts.registerFromPath(file, FONT)) throw new Error(`the font ${file} is missing`)
  }
  const surfaces = new Map<number, Surface>()

  return {
    paint(scene, scale) {
      const { canvas, rgba } = surfaces.get(scale) ?? remember(scale)
      const ctx = canvas.getContext('2d')
      ctx.setTransform(scale, 0, 0, scale, 0, 0)
      ctx.fillStyle = GROUND
      ctx.fillRect(0, 0, WIDTH, HEIGHT)
      draw(ctx, scene, generate)
      const pixels = canvas.data()
      rgba.set(pixels)
      // Given back at once: left to the collector, a picture a second piles up to 60 MB.
      const { buffer } = pixels
      if (buffer instanceof ArrayBuffer) buffer.transfer(0)
      return { width: canvas.width, height: canvas.height, rgba }
    },
  }

  function remember(scale: number): Surface {
    const canvas = createCanvas(Math.round(WIDTH * scale), Math.round(HEIGHT * scale))
    const surface = { canvas, rgba: new Uint8Array(canvas.width * canvas.height * 4) }
    surfaces.set(scale, surface)
    return surface
  }
}

type Surface = { canvas: Canvas; rgba: Uint8Array }

function draw(ctx: SKRSContext2D, scene: Scene, encode: (text: string) => QrCode) {
  switch (scene.screen) {
    case 'now-playing':
      return drawNowPlaying(ctx, scene)
    case 'idle':
      return drawIdle(ctx, scene)
    case 'adhan':
      return drawAdhan(ctx, scene)
    case 'update':
      return drawUpdate(ctx, scene)
    case 'error':
      return drawError(ctx, scene)
    case 'pairing':
      return drawPairing(ctx, scene, encode)
  }
}
