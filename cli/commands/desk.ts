import { Readable, Writable } from 'node:stream'
import type { Command } from 'commander'
import { type SharedOptions, withClient } from '#cli/client.ts'
import { figureLines, type QueueItem, readDesk } from '#cli/desk/desk-data.ts'
import type { Ran } from '#cli/desk/desk-state.ts'
import { examples } from '#cli/help.ts'
import type { Io } from '#cli/io.ts'
import { isForScript, isReadOut, print, reportOutput } from '#cli/output.ts'
import { csvFields, type Table } from '#cli/table.ts'

export function registerDesk(desk: Command, io: Io): void {
  desk
    .option('--plain', 'print it once as plain lines, for a screen reader or a file')
    .addHelpText('after', examples('desk', 'desk --plain', 'desk --api https://example.com'))
    .action((_own, command: Command) => openDesk(io, command.optsWithGlobals()))
}

const queueTable: Table<QueueItem> = {
  title: 'To do',
  empty: 'Nothing to do.',
  columns: [
    { title: 'KIND', text: ({ kind }) => kind, tone: ({ isUrgent }) => (isUrgent ? 'error' : undefined) },
    { title: 'WHO OR WHAT', text: ({ title }) => title, minWidth: 16, identifies: true },
    { title: 'DETAIL', text: ({ detail }) => detail, minWidth: 12 },
  ],
  csv: csvFields(['kind', 'title', 'detail', 'memberId', 'command', 'isUrgent']),
}

async function openDesk(io: Io, options: SharedOptions & { plain?: true }): Promise<void> {
  const { screen } = io
  const isPlain = options.plain || isForScript(options) || io.env.TERM === 'dumb' || isReadOut(io)
  if (isPlain || screen === undefined || !io.isTTY.stdout) {
    const desk = await withClient(io, options, readDesk)
    const details = figureLines(desk)
    const output = reportOutput({ title: 'Desk', details, table: queueTable, rows: desk.queue, json: desk })
    const { terminal: _drawn, ...lines } = output
    return print(io, options, options.plain ? lines : output)
  }
  const { runDesk } = await import('#cli/views/desk.tsx')
  const server = options.api === undefined ? [] : [`--api=${options.api}`]
  await withClient(io, options, (client, siteUrl) =>
    runDesk({ io, screen, client, siteUrl, run: (argv, input) => runCaptured(io, [...argv, ...server], input) }),
  )
}

/** Runs a command as a script would, so the desk uses the same commands people type. */
async function runCaptured(io: Io, argv: readonly string[], input = ''): Promise<Ran> {
  const captured = { out: '', err: '' }
  const into = (name: 'out' | 'err') =>
    new Writable({
      write(chunk, _encoding, done) {
        captured[name] += String(chunk)
        done()
      },
    })
  const code = await io.run?.(argv, {
    stdin: { value: Readable.from([Buffer.from(input)]) },
    stdout: { value: into('out') },
    stderr: { value: into('err') },
    isTTY: { value: { stdin: false, stdout: false, stderr: false } },
    env: { value: { ...io.env, NO_COLOR: '1', CLICOLOR_FORCE: '0' } },
    signal: { value: new AbortController().signal },
  })
  return { code: code ?? 1, ...captured }
}
