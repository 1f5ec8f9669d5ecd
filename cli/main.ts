import { fstatSync, readFileSync, write } from 'node:fs'
import { isatty } from 'node:tty'
import { type ByteOutput, type Io, isColourForced, showInPager } from './io.ts'
import { runCli } from './program.ts'

const cancel = new AbortController()
// Treats SIGTERM like Ctrl-C, so temporary files get removed. A second signal ends the program immediately.
const endings = ['SIGINT', 'SIGTERM'] as const
const end = () => {
  for (const signal of endings) process.off(signal, end)
  cancel.abort()
}
for (const signal of endings) process.on(signal, end)

/**
 * When a full pipe takes only part of a chunk, Bun's own file writes that part again. So we write ourselves, and continue from the
 * number of bytes taken.
 */
const stdout: ByteOutput = {
  write: (data, done) => void writeAll(typeof data === 'string' ? Buffer.from(data) : data).then(() => done(), done),
}

async function writeAll(bytes: Uint8Array): Promise<void> {
  isStdoutClosed ??= wasClosed(1)
  if (isStdoutClosed && bytes.length > 0)
    throw new Error('Nothing was printed: standard output is closed. Add > file, or a pipe.')
  for (let at = 0; at < bytes.length; ) at += await writeSome(bytes, at)
}

let isStdoutClosed: boolean | undefined

/**
 * If a descriptor was closed at the start, Bun opens /dev/null on it, and writes get lost without an error. We recognise that
 * descriptor by its close-on-exec flag: one from a parent can't have it. Only Linux shows the flag.
 */
function wasClosed(descriptor: number): boolean {
  try {
    if (!fstatSync(descriptor).isCharacterDevice()) return false
    const [, flags = '0'] = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8')) ?? []
    const closesItself = 0o2000000
    return (Number.parseInt(flags, 8) & closesItself) !== 0
  } catch {
    return false
  }
}

/** Returns 0 if the pipe is full because its reader is slow; then we retry shortly. */
function writeSome(bytes: Uint8Array, at: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  write(1, bytes, at, bytes.length - at, null, (error, written) => {
    if (error === null) resolve(written)
    else if (error.code === 'EAGAIN') setTimeout(resolve, 2, 0)
    else reject(error)
  })
  return promise
}

// Getters: a stream that nobody uses isn't opened.
const io: Io = {
  get stdin() {
    return process.stdin
  },
  stdout,
  get stderr() {
    return withoutErrors(process.stderr)
  },
  env: process.env,
  isTTY: {
    get stdin() {
      return isatty(0)
    },
    get stdout() {
      return isatty(1)
    },
    get stderr() {
      return isatty(2)
    },
  },
  get columns() {
    return process.stdout.columns || 80
  },
  get rows() {
    return process.stdout.rows || undefined
  },
  page: (text) => showInPager(io, text),
  get screen() {
    return { stdin: process.stdin, stdout: process.stdout }
  },
  cwd: process.env.ALLIANCE_CWD ?? process.cwd(),
  projectDir: process.cwd(),
  signal: cancel.signal,
  now: () => new Date(),
}

// Ink reads this variable for colours, and otherwise only uses them on a terminal.
if (isColourForced(io)) process.env.FORCE_COLOR ??= '1'

process.exit(await runCli(process.argv.slice(2), io))

/** Without a listener the stream's error event would end the process, though all we lose is a sentence. */
function withoutErrors(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  if (stream.listenerCount('error', ignore) === 0) stream.on('error', ignore)
  return stream
}

function ignore(): void {}
