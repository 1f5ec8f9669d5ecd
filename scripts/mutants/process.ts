// The test process: started, listened to, and ended if a fault makes it hang.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { Event, type Plan, planName } from './plan.ts'

type Ended = { output: string; left: { id: number; outcome: 'hung' | 'broken' } | undefined }

/** Runs the plan until the process ends. `left` is the fault it ended with, if that ended it. */
export async function runPlan(folder: string, plan: Plan, hear: (event: Event) => void): Promise<Ended> {
  rmSync(plan.events, { force: true })
  writeFileSync(join(folder, planName), JSON.stringify(plan))
  const child = startTests(folder, plan)
  const output = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  const worker = { pid: 0, trying: undefined as number | undefined, until: Number.POSITIVE_INFINITY, isHung: false }
  const stop = () => {
    end(worker.pid)
    child.kill()
  }
  const listen = eventReader(plan.events, (event) => {
    if (event.kind === 'start') Object.assign(worker, { trying: event.id, until: Date.now() + event.limit })
    if (event.kind === 'end') Object.assign(worker, { trying: undefined, until: Number.POSITIVE_INFINITY })
    if (event.kind === 'worker') {
      const isSecond = worker.pid > 0
      worker.pid = event.pid
      // It doesn't know what the first one found, so start again with the rest of the plan.
      if (isSecond) stop()
    }
    hear(event)
  })
  process.once('exit', stop)
  while (child.exitCode === null && child.signalCode === null) {
    await Promise.race([child.exited, Bun.sleep(1_000)])
    listen()
    if (Date.now() < worker.until || worker.isHung) continue
    worker.isHung = true
    stop()
  }
  process.off('exit', stop)
  listen()
  const outcome = worker.isHung ? 'hung' : 'broken'
  return {
    output: (await output).join('\n'),
    left: worker.trying === undefined ? undefined : { id: worker.trying, outcome },
  }
}

function startTests(folder: string, plan: Plan) {
  const options = ['--config=scripts/mutants/vitest.config.ts', '--root=.', '--reporter=dot']
  const vitest = [
    '--bun',
    'node_modules/vitest/vitest.mjs',
    'run',
    ...options,
    ...(plan.isFull ? [] : ['--tags-filter=!full']),
  ]
  return Bun.spawn([process.execPath, ...vitest, ...plan.tests.map(({ path }) => path)], {
    cwd: folder,
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, CI: 'true', BUN_OPTIONS: '--no-env-file' },
  })
}

function end(pid: number): void {
  try {
    if (pid > 0) process.kill(pid, 'SIGKILL')
  } catch {
    // It has just ended.
  }
}

function eventReader(path: string, hear: (event: Event) => void): () => void {
  let read = 0
  return () => {
    if (!existsSync(path)) return
    const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
    for (const line of lines.slice(read)) hear(v.parse(Event, JSON.parse(line)))
    read = lines.length
  }
}
