import { root } from './programs.ts'

type Options = { silentMs?: number; write?: (text: string) => void }

/**
 * Runs each family in a process of its own and shows its rows as they come. One that fails, or says nothing for ten minutes, is
 * ended with all that it started, and loses only itself. Returns those that fall short.
 */
export async function runEach(
  commands: Readonly<Record<string, readonly string[]>>,
  { silentMs = 600_000, write = (text) => process.stdout.write(text) }: Options = {},
): Promise<string[]> {
  const short: string[] = []
  for (const [name, command] of Object.entries(commands)) {
    write(`\n${name}\n`)
    const child = Bun.spawn([...command], { cwd: root, detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
    const kill = () => signalGroup(child.pid)
    process.once('exit', kill)
    const timer = setTimeout(() => {
      write(`  ${name} has said nothing for ${silentMs / 1000} seconds, so it ends here.\n`)
      // It ends what it started itself. What’s left then belongs to its group.
      child.kill('SIGTERM')
      setTimeout(kill, 1_000).unref()
    }, silentMs)
    const decoder = new TextDecoder()
    for await (const chunk of child.stdout) {
      timer.refresh()
      write(decoder.decode(chunk, { stream: true }))
    }
    if ((await child.exited) !== 0) short.push(name)
    clearTimeout(timer)
    kill()
    process.off('exit', kill)
  }
  return short
}

function signalGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Nothing of it is left.
  }
}
