import { rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { quantile } from '../bench/figures.ts'
import { memoryMb } from '../bench/programs.ts'
import type { Proof } from './proof.ts'
import { openSite, type Site, send } from './site.ts'

const [slowReaders, idle, heldSeconds, visitsPerSecond] = [500, 2000, 45, 10]

/** Many who ask and hardly read, and many who are there and ask nothing: what that costs a visitor. */
export async function proveConnections(proof: Proof): Promise<void> {
  const kinds = { [`${slowReaders} slow readers`]: slowReader, [`${idle} idle connections`]: idler }
  for (const [name, open] of Object.entries(kinds)) {
    if (proof.state.connections[name] !== undefined) continue
    const site = await openSite(proof.copyDataDir())
    try {
      proof.state.connections[name] = await hold(site, Number.parseInt(name, 10), open)
      proof.progress('crowds of connections', Object.keys(proof.state.connections).length, 2)
    } finally {
      await site.stop()
      rmSync(site.dataDir, { recursive: true })
    }
  }
}

type Open = (port: number) => Promise<Socket>

async function hold(site: Site, count: number, open: Open) {
  await send(site, '/')
  const port = Number(new URL(site.url).port)
  const sockets = await Promise.all(Array.from({ length: count }, () => open(port)))
  const heard: number[] = []
  let memory = 0
  for (let visit = 0; visit < heldSeconds * visitsPerSecond; visit += 1) {
    const from = performance.now()
    await (await send(site, '/')).arrayBuffer()
    heard.push(performance.now() - from)
    if (visit % visitsPerSecond === 0) memory = Math.max(memory, memoryMb(site.pid()))
    await Bun.sleep(Math.max(0, 1000 / visitsPerSecond - (heard.at(-1) ?? 0)))
  }
  const left = sockets.filter(({ destroyed, readableEnded }) => !destroyed && !readableEnded).length
  for (const socket of sockets) socket.destroy()
  await Bun.sleep(5000)
  return { left, p99: quantile(heard, 0.99), slowest: Math.max(...heard), memory, after: memoryMb(site.pid()) }
}

function opened(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => socket.destroy())
  return new Promise((resolve) => socket.once('connect', () => resolve(socket)))
}

/** Asks for a long answer a hundred times, and reads a hundred bytes a second. */
async function slowReader(port: number): Promise<Socket> {
  const socket = await opened(port)
  socket.write(`GET /api/docs HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(20))
  const timer = setInterval(() => socket.read(100), 1000)
  socket.once('close', () => clearInterval(timer))
  return socket
}

const idler: Open = opened
