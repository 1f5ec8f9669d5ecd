import { isatty } from 'node:tty'
import { type Io, isClosedPipe } from './io.ts'
import { runCli } from './program.ts'

const cancel = new AbortController()
process.once('SIGINT', () => cancel.abort())

// Streams are opened when they are first used: each costs a millisecond that `--version` need not spend.
const io: Io = {
  get stdin() {
    return process.stdin
  },
  get stdout() {
    return quietOnClosedPipe(process.stdout)
  },
  get stderr() {
    return quietOnClosedPipe(process.stderr)
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

/** A reader that left early is heard of by the write itself; the stream's own event would end the process. */
function quietOnClosedPipe(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  if (stream.listenerCount('error', ignoreClosedPipe) === 0) stream.on('error', ignoreClosedPipe)
  return stream
}

function ignoreClosedPipe(error: Error): void {
  if (!isClosedPipe(error)) throw error
}
