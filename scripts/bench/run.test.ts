import { expect, test } from 'vitest'
import { runEach } from './run.ts'

const program = (text: string) => [process.execPath, '--no-env-file', '-e', text]

test('a family that fails or hangs loses only itself, and leaves no process behind', { tags: ['full'] }, async () => {
  let shown = ''
  const hanging = `const left = Bun.spawn(['sleep', '1000']); console.log('began ' + left.pid)
    process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)`
  const short = await runEach(
    {
      one: program('console.log("row of one")'),
      failing: program('console.log("row before"); throw new Error("broken on purpose")'),
      hanging: program(hanging),
      missed: program('console.log("row of missed"); process.exitCode = 1'),
      last: program('console.log("row of last")'),
    },
    { silentMs: 800, write: (text) => (shown += text) },
  )
  expect(short).toEqual(['failing', 'hanging', 'missed'])
  for (const row of ['row of one', 'row before', 'row of missed', 'row of last']) expect(shown).toContain(row)
  expect(shown).toContain('hanging has said nothing for 0.8 seconds')
  const left = Number(/began (\d+)/.exec(shown)?.[1])
  await expect.poll(() => isRunning(left)).toBe(false)
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
