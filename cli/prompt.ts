import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { exitCodes, Stop, wrongUsage } from './exit.ts'
import { type Io, inLines, write } from './io.ts'

/** Asks for a line on the terminal. `isSecret` shows nothing of what is typed. */
export async function askLine(io: Io, question: string, { isSecret = false } = {}): Promise<string> {
  await write(io.stderr, question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: io.stdin, output: isSecret ? nowhere : io.stderr, terminal: true })
  const answer = await new Promise<string | null>((resolve) => {
    lines.once('line', resolve)
    lines.once('SIGINT', () => resolve(null))
    lines.once('close', () => resolve(null))
  })
  lines.close()
  // Nothing has ended the question's line yet where nothing was shown, or nothing was entered.
  if (isSecret || answer === null) await write(io.stderr, '\n')
  if (answer === null) throw new Stop(exitCodes.cancelled)
  return answer
}

/** Asks before something that cannot be taken back. A script says `--yes` instead: nobody is there to answer. */
export async function agree(io: Io, question: string, isAgreed: boolean): Promise<void> {
  if (isAgreed) return
  if (!io.isTTY.stdin) throw wrongUsage(`${question} Say --yes to do it.`)
  const answer = await askLine(io, `${inLines(io, `${question} Type yes to do it:`)} `)
  if (answer.trim().toLowerCase() !== 'yes') throw new Stop(exitCodes.cancelled, 'Nothing was done.')
}

/** All of standard input, without the line break at its end. */
export async function readAll(io: Io): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of io.stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '')
}
