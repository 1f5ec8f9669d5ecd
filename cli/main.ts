import { isatty } from 'node:tty'
import { type Io, isClosedPipe } from './io.ts'
import { runCli } from './program.ts'

const cancel = new AbortController()
process.once('SIGINT', () => cancel.abort())

// Getters, because opening a stream takes milliseconds that `--version` need not spend on all three.
const io: Io = {
  get stdin() {
    return process.stdin
  },
  get stdout() {
    return withoutPipeErrors(process.stdout)
  },
  get stderr() {
    return withoutPipeErrors(process.stderr)
  },
  env: process.env,
  isTTY: { stdin: isatty(0), stdout: isatty(1) },
  get columns() {
    return process.stdout.columns || 80
  },
  cwd: process.cwd(),
  signal: cancel.signal,
  now: () => new Date(),
}

process.exit(await runCli(process.argv.slice(2), io))

/** The write itself reports a closed pipe; without a listener the stream's own event would end the process. */
function withoutPipeErrors(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  if (stream.listenerCount('error', ignoreClosedPipe) === 0) stream.on('error', ignoreClosedPipe)
  return stream
}

function ignoreClosedPipe(error: Error): void {
  if (!isClosedPipe(error)) throw error
}
