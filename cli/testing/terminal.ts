import { PassThrough, Readable, Writable } from 'node:stream'
import type { ExitCode } from '#cli/exit.ts'
import type { Io } from '#cli/io.ts'
import { runCli } from '#cli/program.ts'

export type Ran = { code: ExitCode; out: string; err: string }
export type Setting = Partial<Omit<Io, 'stdin' | 'stdout' | 'stderr'>> & {
  /** What a pipe brings, or what is typed on a terminal, line by line, each when it is asked for. */
  input?: string | string[]
}

/** Runs a command as if from a pipe; `isTTY` makes it a terminal. */
export async function runAs(argv: readonly string[], { input = '', ...setting }: Setting): Promise<Ran> {
  const stdout = new Collected()
  const stderr = new Collected()
  const stdin = typeof input === 'string' ? Readable.from([Buffer.from(input)]) : keyboard(input, stderr)
  const io: Io = {
    env: {},
    isTTY: { stdin: false, stdout: false },
    columns: 80,
    cwd: '/',
    signal: new AbortController().signal,
    now: () => new Date(),
    ...setting,
    stdin,
    stdout,
    stderr,
  }
  const code = await runCli(argv, io)
  return { code, out: stdout.text, err: stderr.text }
}

class Collected extends Writable {
  text = ''
  onText: () => void = () => {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString('utf8')
    this.onText()
    done()
  }
}

/** Types the next line whenever a question has been asked. */
function keyboard(lines: string[], screen: Collected): Readable {
  const keys = new PassThrough()
  const left = [...lines]
  screen.onText = () => {
    const next = screen.text.endsWith(': ') ? left.shift() : undefined
    if (next !== undefined) setImmediate(() => keys.write(next))
  }
  return keys
}
