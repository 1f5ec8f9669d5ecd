type Options = { cwd?: string; env?: Record<string, string | undefined> }

/** Runs a program to its end and returns what it printed. Throws with what it complained about. */
export function runProgram(command: readonly string[], options: Options = {}): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], options)
  if (exitCode === 0) return stdout.toString()
  throw new Error(`${command.slice(0, 3).join(' ')} ended with ${exitCode}: ${stderr.toString().trim()}`)
}
