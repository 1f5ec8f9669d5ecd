import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { CliError, exitCodes } from './exit-codes.ts'
import type { Io } from './io.ts'
import { readNamed } from './named-file.ts'
import { readStdin } from './prompt.ts'

export type Draft = { file: string; isWritten(): boolean; remove(): void }

/** In a folder of its own that only this person can read. The name comes from the site, so it can't lead to another folder. */
export function openDraft(io: Io, name: string, text: string): Draft {
  const folder = mkdtempSync(join(io.env.TMPDIR ?? tmpdir(), 'alliance-words-'))
  const file = join(folder, basename(name))
  writeFileSync(file, text, { mode: 0o600 })
  return {
    file,
    isWritten: () => readFileSync(file, 'utf8') !== text,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** What a shell ends with when it can't find the program. */
const notFound = 127

export async function openEditor(io: Io, file: string): Promise<string> {
  const editor = io.env.VISUAL || io.env.EDITOR || 'vi'
  const child = Bun.spawn(['sh', '-c', `${editor} "$1"`, 'sh', file], {
    stdio: ['inherit', 'inherit', 'inherit'],
    env: { ...io.env },
  })
  const code = await child.exited
  if (code === notFound)
    throw new CliError(exitCodes.failed, `There’s no ${editor} here. Set EDITOR, or give the text with --from FILE.`)
  if (code !== 0) throw new CliError(exitCodes.failed, `The editor (${editor}) failed. Set EDITOR.`)
  return readFileSync(file, 'utf8')
}

export async function readFrom(io: Io, from: string): Promise<string> {
  if (from === '-') return readStdin(io)
  return readNamed(resolve(io.cwd, from)).toString('utf8')
}
