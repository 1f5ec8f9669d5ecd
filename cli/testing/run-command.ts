import { PassThrough, Readable, Writable } from 'node:stream'
import type { ExitCode } from '#cli/exit-codes.ts'
import type { Io } from '#cli/io.ts'
import { runCli } from '#cli/program.ts'

export type RunResult = { code: ExitCode; out: string; err: string }
export type RunOptions = Partial<Omit<Io, 'stdin' | 'stdout' | 'stderr'>> & {
  /** A string comes through a pipe; a list is typed on a terminal, a line at each prompt. */
  input?: string | string[]
}

export async function runCommand(argv: readonly string[], { input = '', ...options }: RunOptions): Promise<RunResult> {
  const stdout = new CapturedOutput()
  const stderr = new CapturedOutput()
  const stdin = typeof input === 'string' ? Readable.from([Buffer.from(input)]) : createKeyboard(input, stderr)
  const io: Io = {
    env: {},
    isTTY: { stdin: false, stdout: false },
    columns: 80,
    cwd: '/',
    signal: new AbortController().signal,
    now: () => new Date(),
    ...options,
    stdin,
    stdout,
    stderr,
  }
  const code = await runCli(argv, io)
  // A separate program would have exited here. Other code sees what it wrote from its next turn on.
  await new Promise(setImmediate)
  return { code, out: stdout.text, err: stderr.text }
}

class CapturedOutput extends Writable {
  text = ''
  onText: () => void = () => {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    // A PDF isn't text: each of its bytes is one character here.
    this.text += chunk.toString(/^%PDF-/.test(this.text || chunk.toString('latin1')) ? 'latin1' : 'utf8')
    this.onText()
    done()
  }
}

function createKeyboard(lines: string[], screen: CapturedOutput): Readable {
  const keys = new PassThrough()
  const remaining = [...lines]
  screen.onText = () => {
    const next = screen.text.endsWith(': ') ? remaining.shift() : undefined
    if (next !== undefined) setImmediate(() => keys.write(next))
  }
  return keys
}
