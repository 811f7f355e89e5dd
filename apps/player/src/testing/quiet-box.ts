import path from 'node:path'

/** The environment of a box of its own in a folder, which nobody hears and only this machine reaches. */
export const quietBox = (folder: string) => ({
  PLAYER_HOST: '127.0.0.1',
  PLAYER_PORT: '0',
  PLAYER_TLS: 'off',
  PLAYER_DATA: path.join(folder, 'data'),
  PLAYER_CARD: path.join(folder, 'card'),
  PLAYER_AUDIO: 'embedded',
  PLAYER_SINK: 'null',
})
