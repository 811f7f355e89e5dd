import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { busyFor } from '@manara/kit/testing/busy'
import { listen, serve } from '../testing/local-server.ts'
import { fetchStream, type StreamOptions, type StreamPiece } from './stream-fetch.ts'

// What a busy machine is late with is no stall.
const timings = { connect_ms: 60_000, stall_ms: 60_000, backoff_ms: [10, 20] }
const impatient = { timings: { ...timings, stall_ms: 1_000 } }

/** Reads until `enough` says so, then ends the stream. */
async function read(
  url: string,
  enough: (pieces: StreamPiece[]) => boolean,
  options: Partial<StreamOptions> = {},
) {
  const ending = new AbortController()
  const pieces: StreamPiece[] = []
  for await (const piece of fetchStream(url, { signal: ending.signal, timings, ...options })) {
    pieces.push(piece)
    if (enough(pieces)) break
  }
  ending.abort()
  return pieces
}

const textOf = (pieces: StreamPiece[]) =>
  Buffer.concat(pieces.flatMap((piece) => (piece.type === 'data' ? piece.bytes : []))).toString()
const hasText = (text: string) => (pieces: StreamPiece[]) => textOf(pieces).includes(text)
const kinds = (pieces: StreamPiece[]) => pieces.map(({ type }) => type)
const fails = (url: string, options: Partial<StreamOptions> = {}) => read(url, () => false, options)

test('a stream arrives as it is sent', async (context) => {
  const url = await serve(context, (_request, response) => {
    response.writeHead(200, { 'content-type': 'audio/ogg' }).write('sound')
  })
  const pieces = await read(url, hasText('sound'))
  assert.deepEqual(pieces[0], { type: 'open', contentType: 'audio/ogg' })
  assert.deepEqual(kinds(pieces), ['open', 'data'])
})

test('titles are asked for and taken out of the sound', async (context) => {
  const block = Buffer.alloc(33)
  block[0] = 2
  block.write("StreamTitle='Al-Kahf';", 1)
  const url = await serve(context, (request, response) => {
    assert.equal(request.headers['icy-metadata'], '1')
    response.writeHead(200, { 'icy-metaint': 4 })
    response.write(Buffer.concat([Buffer.from('soun'), block, Buffer.from('d on')]))
  })
  const pieces = await read(url, hasText('sound on'))
  assert.deepEqual(pieces[2], { type: 'title', title: 'Al-Kahf' })
})

test('a server that speaks ICY instead of HTTP is understood', async (context) => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => socket.write('ICY 200 OK\r\ncontent-type:audio/mpeg\r\n\r\nsound'))
  })
  context.after(() => {
    for (const socket of sockets) socket.destroy()
  })
  const pieces = await read(`http://127.0.0.1:${await listen(context, server)}`, hasText('sound'))
  assert.deepEqual(pieces[0], { type: 'open', contentType: 'audio/mpeg' })
})

test('redirects are followed three times, not four', async (context) => {
  const url = await serve(context, (request, response) => {
    const left = Number(request.url?.slice(1))
    if (left > 0) response.writeHead(302, { location: `/${left - 1}` }).end()
    else response.writeHead(200).write('sound')
  })
  assert.ok(await read(`${url}/3`, hasText('sound')))
  await assert.rejects(fails(`${url}/4`), /more than 3 redirects/)
})

for (const location of [
  'http://169.254.169.254/latest',
  'http://[fe80::1]/',
  'http://[::ffff:169.254.169.254]/',
  'file:///etc/passwd',
  'http://user:secret@127.0.0.1/',
])
  test(`a redirect to ${location} is refused`, async (context) => {
    const url = await serve(context, (_request, response) =>
      response.writeHead(302, { location }).end(),
    )
    await assert.rejects(fails(url), /must not|must be/)
  })

test('a name is judged by the address it leads to, each time it is asked', async (context) => {
  const url = await serve(context, (_request, response) => response.writeHead(200).end('sound'))
  const answers = [['127.0.0.1'], ['127.0.0.1', '169.254.169.254']]
  const asked: string[] = []
  const resolve = async (host: string) => {
    asked.push(host)
    return (answers.shift() ?? []).map((address) => ({ address, family: 4 }))
  }
  const pieces: StreamPiece[] = []
  const signal = new AbortController().signal
  const stream = fetchStream(url.replace('127.0.0.1', 'radio.example'), {
    signal,
    timings,
    resolve,
  })
  await assert.rejects(async () => {
    for await (const piece of stream) pieces.push(piece)
  }, /radio\.example: 169\.254\.169\.254 is link-local/)
  assert.deepEqual(kinds(pieces), ['open', 'data', 'lost'])
  assert.deepEqual(asked, ['radio.example', 'radio.example'])
})

for (const [name, type, list] of [
  ['M3U', 'audio/x-mpegurl', '#EXTM3U\n#EXTINF:-1,Radio\n/live\n'],
  ['PLS', 'audio/x-scpls', '[playlist]\nFile1=/live\n'],
] as const)
  test(`a ${name} playlist leads to its first stream`, async (context) => {
    const url = await serve(context, (request, response) => {
      if (request.url === '/live') response.writeHead(200).write('sound')
      else response.writeHead(200, { 'content-type': type }).end(list)
    })
    assert.ok(await read(`${url}/list`, hasText('sound')))
  })

test('a playlist that names itself is refused', async (context) => {
  const url = await serve(context, (_request, response) =>
    response.writeHead(200, { 'content-type': 'audio/x-mpegurl' }).end('/again'),
  )
  await assert.rejects(fails(url), /only lead to playlists/)
})

test('every entry of a playlist is tried, and one that only sends noise is passed over', async (context) => {
  const asked: (string | undefined)[] = []
  const url = await serve(context, (request, response) => {
    asked.push(request.url)
    if (request.url === '/list')
      response
        .writeHead(200, { 'content-type': 'audio/x-mpegurl' })
        .end('/gone\nhttp://169.254.169.254/\n/noise\n/live')
    else if (request.url === '/gone') response.writeHead(404).end()
    else response.writeHead(200).end(request.url === '/live' ? 'sound' : 'noise')
  })
  let text = ''
  const isHeard = () => text === 'sound'
  const read = fetchStream(`${url}/list`, {
    ...{ signal: new AbortController().signal, timings, isHeard },
  })
  for await (const piece of read) {
    if (piece.type === 'data') text = Buffer.from(piece.bytes).toString()
    if (isHeard()) break
  }
  assert.equal(text, 'sound')
  assert.ok(asked.includes('/gone') && asked.includes('/noise'))
})

test('a playlist that stalls is given up and tried again', async (context) => {
  let requests = 0
  const url = await serve(context, (request, response) => {
    if (request.url === '/live') response.writeHead(200).write('sound')
    else {
      response.writeHead(200, { 'content-type': 'audio/x-mpegurl' })
      if (++requests === 1) response.write('/li')
      else response.end('/live')
    }
  })
  const pieces = await read(`${url}/list`, hasText('sound'), impatient)
  assert.deepEqual(kinds(pieces), ['lost', 'open', 'data'])
  assert.match(JSON.stringify(pieces[0]), /nothing came for 1 s/)
})

test('a station that sends a title with every byte is not told to everyone each time', async (context) => {
  const block = (title: string) => Buffer.from(`\x02${`StreamTitle='${title}';`.padEnd(32, '\0')}`)
  const url = await serve(context, (_request, response) => {
    response.writeHead(200, { 'icy-metaint': '1' })
    const titled = Array.from({ length: 5_000 }, (_, n) => ['.', block(`title ${n}`)]).flat()
    response.write(Buffer.concat([...titled, '!'].map((part) => Buffer.from(part))))
  })
  const pieces = await read(url, hasText('!'))
  const titles = kinds(pieces).filter((kind) => kind === 'title')
  assert.ok(titles.length > 0 && titles.length < 100, `${titles.length} titles`)
})

test('a station that comes back without a title has none', async (context) => {
  const url = await serve(context, (_request, response) => {
    response.writeHead(200, { 'icy-metaint': '1' })
    response.write(`.\x01${"StreamTitle='';".padEnd(16, '\0')}!`)
  })
  const pieces = await read(url, hasText('!'))
  assert.deepEqual(pieces[2], { type: 'title', title: '' })
})

test('a box that stood still does not take what lies there unread for silence', async (context) => {
  const url = await serve(context, (_request, response) => {
    response.writeHead(200)
    const drip = setInterval(() => response.write('sound'), 100)
    return response.on('close', () => clearInterval(drip))
  })
  let came = 0
  const isEnough = () => {
    came += 1
    if (came === 2) setTimeout(() => busyFor(1_500))
    return came === 8
  }
  const pieces = await read(url, isEnough, impatient)
  assert.deepEqual([...new Set(kinds(pieces))], ['open', 'data'])
})

test('a playlist that drips is given up and tried again', async (context) => {
  let requests = 0
  const url = await serve(context, (request, response) => {
    if (request.url === '/live') return response.writeHead(200).write('sound')
    response.writeHead(200, { 'content-type': 'audio/x-mpegurl' })
    if (++requests > 1) return response.end('/live')
    const drip = setInterval(() => response.write('#'), 20)
    return response.on('close', () => clearInterval(drip))
  })
  const pieces = await read(`${url}/list`, hasText('sound'), impatient)
  assert.deepEqual(kinds(pieces), ['lost', 'open', 'data'])
  assert.match(JSON.stringify(pieces[0]), /no answer within 2 s/)
})

test('what never decodes is refused with the reason after a few tries', async (context) => {
  let requests = 0
  const url = await serve(context, (_request, response) => {
    requests += 1
    response.writeHead(200).end('<html>')
  })
  await assert.rejects(fails(url, { isHeard: () => false }), /ended the connection/)
  assert.equal(requests, 3)
})

test('noise without end is refused as well', async (context) => {
  const url = await serve(context, (_request, response) => {
    const more = () => response.destroyed || response.write(Buffer.alloc(200_000), more)
    response.writeHead(200)
    more()
  })
  await assert.rejects(fails(url, { isHeard: () => false }), /what comes is no sound/)
})

test('a station that drips after it was heard is connected anew, and plays on', async (context) => {
  let requests = 0
  const url = await serve(context, (_request, response) => {
    response.writeHead(200).write(`sound ${++requests}`)
    const drip = setInterval(() => response.write('.'), 20)
    response.on('close', () => clearInterval(drip))
  })
  const dripping = { ...timings, undecoded_ms: 200 }
  const isStarving = () => requests === 1
  const pieces = await read(url, hasText('sound 2'), { timings: dripping, isStarving })
  assert.match(JSON.stringify(pieces.find(({ type }) => type === 'lost')), /too little comes/)
  assert.equal(pieces.filter(({ type }) => type === 'open').length, 2)
})

test('a station that does nothing but drip is given up with the reason', async (context) => {
  let requests = 0
  const url = await serve(context, (_request, response) => {
    requests += 1
    response.writeHead(200)
    const drip = setInterval(() => response.write('.'), 20)
    response.on('close', () => clearInterval(drip))
  })
  const dripping = { timings: { ...timings, undecoded_ms: 200 } }
  await assert.rejects(fails(url, { ...dripping, isHeard: () => false }), /too little comes/)
  assert.equal(requests, 3)
})

test('the pause before trying again grows on while what comes is no sound', async (context) => {
  const url = await serve(context, (_request, response) => response.end('noise'))
  const pauses: number[] = []
  const pause = async (ms: number) => void pauses.push(ms)
  const slow = { ...timings, backoff_ms: [20, 80, 320] }
  await assert.rejects(fails(url, { timings: slow, pause, isHeard: () => false }))
  assert.deepEqual(pauses, [20, 80])
})

test('HLS is told apart from a stream', async (context) => {
  const url = await serve(context, (_request, response) =>
    response
      .writeHead(200, { 'content-type': 'application/vnd.apple.mpegurl' })
      .end('#EXTM3U\n#EXT-X-TARGETDURATION:4\n'),
  )
  assert.deepEqual(await read(`${url}/x`, () => false), [{ type: 'hls', url: `${url}/x` }])
})

test('a connection that goes silent is given up and made anew', async (context) => {
  let requests = 0
  const url = await serve(context, (_request, response) => {
    response.writeHead(200).write(`sound ${++requests}`)
  })
  const pieces = await read(url, hasText('sound 2'), impatient)
  assert.deepEqual(kinds(pieces), ['open', 'data', 'lost', 'open', 'data'])
  assert.match(JSON.stringify(pieces[2]), /nothing came for 1 s/)
})

test('a stream that is not read is not taken for silent', async (context) => {
  let writeMore = () => {}
  const url = await serve(context, (_request, response) => {
    response.writeHead(200).write('first')
    writeMore = () => void response.write('second')
  })
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const ending = new AbortController()
  const stream = fetchStream(url, { signal: ending.signal, timings })
  assert.equal((await stream.next()).value?.type, 'open')
  assert.equal((await stream.next()).value?.type, 'data')
  // Longer than the patience.
  context.mock.timers.tick(60_000)
  writeMore()
  assert.equal((await stream.next()).value?.type, 'data')
  ending.abort()
  await stream.return(undefined)
})

test('the end of a live stream is a reconnection', async (context) => {
  let requests = 0
  const url = await serve(context, (_request, response) => response.end(`sound ${++requests}`))
  assert.deepEqual(
    kinds(await read(url, hasText('sound 3'))).filter((kind) => kind === 'lost').length,
    2,
  )
})

test('5xx and a refused connection are tried again', async (context) => {
  let requests = 0
  const url = await serve(context, (request, response) => {
    if (++requests === 1) response.writeHead(503).end()
    else if (requests === 2) request.socket.destroy()
    else response.writeHead(200).write('sound')
  })
  const pieces = await read(url, hasText('sound'))
  assert.deepEqual(kinds(pieces), ['lost', 'lost', 'open', 'data'])
})

test('4xx is final', async (context) => {
  const url = await serve(context, (_request, response) => response.writeHead(403).end())
  await assert.rejects(fails(url), /answered 403/)
})

test('a station that was heard and then has no source is waited for, for as long as the pauses grow', async (context) => {
  let requests = 0
  const url = await serve(context, (_request, response) => {
    requests += 1
    if (requests === 1 || requests === 3) response.end(`sound ${requests}`)
    else response.writeHead(404).end()
  })
  const pieces: StreamPiece[] = []
  const all = (known: StreamPiece[]) => {
    pieces.splice(0, pieces.length, ...known)
    return false
  }
  await assert.rejects(read(url, all), /answered 404/)
  assert.equal(textOf(pieces), 'sound 1sound 3')
  assert.equal(requests, 3 + timings.backoff_ms.length)
})

test('the pause before trying again grows, and starts anew after sound', async (context) => {
  let requests = 0
  const url = await serve(context, (_request, response) => {
    requests += 1
    if (requests === 4) response.end('sound')
    else if (requests === 6) response.writeHead(200).write('again')
    else response.writeHead(503).end()
  })
  const pauses: number[] = []
  const pause = async (ms: number) => void pauses.push(ms)
  await read(url, hasText('again'), { timings: { ...timings, backoff_ms: [20, 80, 320] }, pause })
  assert.deepEqual(pauses, [20, 80, 320, 20, 80])
})

test('an abort ends it at once, also while it waits', async (context) => {
  const url = await serve(context, (_request, response) => response.writeHead(503).end())
  const ending = new AbortController()
  const slow = { ...timings, backoff_ms: [60_000] }
  const stream = fetchStream(url, { signal: ending.signal, timings: slow })
  assert.equal((await stream.next()).value?.type, 'lost')
  const waiting = stream.next()
  ending.abort()
  await assert.rejects(waiting, { name: 'AbortError' })
})
