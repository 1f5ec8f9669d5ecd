import { type ByteOutput, type Io, isColourForced, showInPager } from './io.ts'
import { runCli } from './program.ts'

const cancel = new AbortController()
// A service manager's word is heard as Ctrl-C is: what lies open meanwhile is removed. The next one ends the program at once.
const endings = ['SIGINT', 'SIGTERM'] as const
const end = () => {
  for (const signal of endings) process.off(signal, end)
  cancel.abort()
}
for (const signal of endings) process.on(signal, end)

/**
 * The stream of Node takes 8 ms to open, half of what `--version` takes, and Bun's own file writes what a full pipe took of a
 * piece once more. So each write says how much was taken, and goes on from there.
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
 * Bun opens /dev/null in the place of a descriptor that was closed when it began, and what is written there is lost without an
 * error. No parent can have handed that one on: it closes itself when a program is started. Only Linux says so.
 */
function wasClosed(descriptor: number): boolean {
  const fs = process.getBuiltinModule('node:fs')
  try {
    if (!fs.fstatSync(descriptor).isCharacterDevice()) return false
    const [, flags = '0'] = /^flags:\s*(\d+)/m.exec(fs.readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8')) ?? []
    const closesItself = 0o2000000
    return (Number.parseInt(flags, 8) & closesItself) !== 0
  } catch {
    return false
  }
}

/** None where the pipe is full and its reader is slow: it is asked again in a moment. */
function writeSome(bytes: Uint8Array, at: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  process.getBuiltinModule('node:fs').write(1, bytes, at, bytes.length - at, null, (error, written) => {
    if (error === null) resolve(written)
    else if (error.code === 'EAGAIN') setTimeout(resolve, 2, 0)
    else reject(error)
  })
  return promise
}

// Getters, because opening a stream takes milliseconds that `--version` need not spend.
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
      return isTerminal(0)
    },
    get stdout() {
      return isTerminal(1)
    },
    get stderr() {
      return isTerminal(2)
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

// Ink asks for colours by this name, and on a terminal alone.
if (isColourForced(io)) process.env.FORCE_COLOR ??= '1'

process.exit(await runCli(process.argv.slice(2), io))

/** `node:tty` takes 7 ms to load, which a pipe or a file, both no devices, need not spend. */
function isTerminal(descriptor: number): boolean {
  try {
    const isDevice = process.getBuiltinModule('node:fs').fstatSync(descriptor).isCharacterDevice()
    return isDevice && process.getBuiltinModule('node:tty').isatty(descriptor)
  } catch {
    // It is closed.
    return false
  }
}

/** Without a listener the stream's own event would end the process, though nothing but a sentence is lost. */
function withoutErrors(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  if (stream.listenerCount('error', ignore) === 0) stream.on('error', ignore)
  return stream
}

function ignore(): void {}
