// Weighed: @inquirer/prompts (ten packages) and @clack/prompts (four). Reading a line and a password is one function of
// node:readline, and either library would leave pipes, `--yes` and exit codes to this file.
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { CliError, exitCodes, usageError } from './exit-codes.ts'
import { type Io, wrapForTerminal, writeBeside } from './io.ts'

/** Prompts for a line on the terminal. With `isSecret` it doesn't echo. */
export async function promptLine(io: Io, question: string, { isSecret = false } = {}): Promise<string> {
  await writeBeside(io, question)
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: io.stdin, output: isSecret ? discard : io.stderr, terminal: true })
  const line = await new Promise<string | null>((resolve) => {
    reader.once('line', resolve)
    reader.once('SIGINT', () => resolve(null))
    reader.once('close', () => resolve(null))
  })
  reader.close()
  // Readline only echoes the line break of a line that was entered and shown.
  if (isSecret || line === null) await writeBeside(io, '\n')
  if (line === null) throw new CliError(exitCodes.cancelled)
  return line
}

/** Confirms something that can't be undone. A script has to pass `--yes`, because it has nobody to ask. */
export async function confirm(io: Io, question: string, isConfirmed: boolean): Promise<void> {
  if (isConfirmed || io.isConfirmed) return
  if (!io.isTTY.stdin) throw usageError(`${question} Use --yes to confirm.`)
  const line = await promptLine(io, `${wrapForTerminal(io, `${question} Type yes to confirm:`)} `)
  if (!/^y(es)?$/i.test(line.trim())) throw new CliError(exitCodes.cancelled, 'Cancelled. Nothing changed.')
}

export const readStdin = async (io: Io): Promise<string> =>
  (await readStdinBytes(io)).toString('utf8').replace(/\r?\n$/, '')

export async function readStdinBytes(io: Io): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = []
  for await (const chunk of io.stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}
