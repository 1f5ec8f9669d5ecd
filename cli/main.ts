import { type Io, isClosedPipe } from './io.ts'
import { runCli } from './program.ts'

const cancel = new AbortController()
process.once('SIGINT', () => cancel.abort())

// A reader that left early; what was being written notices by itself.
process.stdout.on('error', ignoreClosedPipe)
process.stderr.on('error', ignoreClosedPipe)

const io: Io = {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  isTTY: { stdin: process.stdin.isTTY === true, stdout: process.stdout.isTTY === true },
  columns: process.stdout.columns || 80,
  cwd: process.cwd(),
  signal: cancel.signal,
  now: () => new Date(),
}

process.exit(await runCli(process.argv.slice(2), io))

function ignoreClosedPipe(error: Error): void {
  if (!isClosedPipe(error)) throw error
}
