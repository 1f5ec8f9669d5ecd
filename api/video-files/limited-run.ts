/**
 * `seconds` of processor time, because a busy machine would fail good videos by the clock. `bytes`: the largest file it may write.
 */
export type Limits = { seconds: number; bytes: number }

export type Ended = 'done' | 'failed' | 'too-slow' | 'too-large' | 'stopped'

type Run = {
  limits: Limits
  stopping: AbortSignal | undefined
  /** Each line of its output. */
  onLine(line: string): void
}

/** Address space. ffmpeg reserves little that it doesn't use, so this limits its memory too. */
const memoryKb = 1024 ** 2
/** The unit of `ulimit -f`, in every shell that follows POSIX. */
const blockBytes = 512
/** Ends a program that hangs without working. */
const longestMs = 3_600_000
const mostErrorText = 4_000

/** The system closes our end of this pipe however we end, and the shell's second job then ends the program. */
const untilWeAreGone = `{
  exec 3<&0
  nice -n 19 "$@" 3<&- </dev/null & program=$!
  { read -r _ <&3; kill -9 $program; } >/dev/null 2>&1 & watcher=$!
  wait $program; code=$?
  kill $watcher
  exit $code
}`

/**
 * Runs a program that reads a file from outside: without our environment and input, with little priority, and with limits that
 * the system enforces. It opens what it's told to, so the caller names files only.
 */
export async function runLimited(
  command: readonly string[],
  { limits, stopping, onLine }: Run,
): Promise<{ ended: Ended; errors: string }> {
  const { seconds, bytes } = limits
  const script = [
    'ulimit -c 0',
    `ulimit -t ${seconds}`,
    `ulimit -f ${Math.ceil(bytes / blockBytes)}`,
    // macOS has no limit for it.
    `ulimit -v ${memoryKb} || [ "$(uname)" = Darwin ]`,
    untilWeAreGone,
  ].join(' && ')
  const child = Bun.spawn(['/bin/sh', '-c', script, 'sh', ...command], {
    env: {},
    cwd: '/',
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const kill = () => void child.stdin.end()
  const timer = setTimeout(kill, longestMs)
  stopping?.addEventListener('abort', kill)
  if (stopping?.aborted) kill()
  const [, errors] = await Promise.all([readLines(child.stdout, onLine), readEnd(child.stderr), child.exited])
  clearTimeout(timer)
  stopping?.removeEventListener('abort', kill)
  return {
    ended: child.exitCode === 0 ? 'done' : stopping?.aborted ? 'stopped' : endedBy(child.exitCode, errors),
    errors,
  }
}

/** A shell adds 128 to the signal that ended a program. */
const [killed, outOfTime, outOfSpace] = [128 + 9, 128 + 24, 128 + 25]

/** The kernel kills what has used up its processor time. */
function endedBy(code: number | null, errors: string): Ended {
  if (code === killed || code === outOfTime) return 'too-slow'
  return code === outOfSpace || errors.includes('File too large') ? 'too-large' : 'failed'
}

/** Lines longer than this are cut, so that a hostile file can't fill our memory. */
const longestLine = 64 * 1024

async function readLines(output: ReadableStream<Uint8Array>, onLine: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of output) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = (lines.pop() ?? '').slice(0, longestLine)
    for (const line of lines) onLine(line)
  }
  if (rest !== '') onLine(rest)
}

async function readEnd(output: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of output) text = (text + decoder.decode(chunk, { stream: true })).slice(-mostErrorText)
  return text
}
