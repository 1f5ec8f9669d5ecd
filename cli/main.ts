import { type ByteOutput, type Io, isClosedPipe } from './io.ts'
import { runCli } from './program.ts'

const cancel = new AbortController()
process.once('SIGINT', () => cancel.abort())

/** Bun's own file: the stream of Node takes 8 ms to open, half of what `--version` takes. */
const stdout: ByteOutput = {
  write: (text, done) => void Bun.write(Bun.stdout, text).then(() => done(), done),
}

// Getters, because opening a stream takes milliseconds that `--version` need not spend.
const io: Io = {
  get stdin() {
    return process.stdin
  },
  stdout,
  get stderr() {
    return withoutPipeErrors(process.stderr)
  },
  env: process.env,
  isTTY: {
    get stdin() {
      return isTerminal(0)
    },
    get stdout() {
      return isTerminal(1)
    },
  },
  get columns() {
    return process.stdout.columns || 80
  },
  cwd: process.cwd(),
  signal: cancel.signal,
  now: () => new Date(),
}

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

/** The write itself reports a closed pipe; without a listener the stream's own event would end the process. */
function withoutPipeErrors(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  if (stream.listenerCount('error', ignoreClosedPipe) === 0) stream.on('error', ignoreClosedPipe)
  return stream
}

function ignoreClosedPipe(error: Error): void {
  if (!isClosedPipe(error)) throw error
}
