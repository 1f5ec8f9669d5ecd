import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { CliError, exitCodes, usageError } from '#cli/exit-codes.ts'
import type { Values } from '#cli/machine/setup-checks.ts'
import { readNamed } from '#cli/named-file.ts'

export function readEnvFile(path: string, known: readonly string[]): Values {
  const values: Values = {}
  for (const [at, line] of readNamed(path).toString('utf8').split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue
    const [, name = '', value = ''] = /^\s*(?:export\s+)?([A-Z][A-Z0-9_]*)\s*=(.*)$/.exec(line) ?? []
    if (!known.includes(name)) throw usageError(`${path}, line ${at + 1}: this isn’t an option in .env.example.`)
    values[name] = unquoted(value.trim())
  }
  return values
}

const unquoted = (value: string) => /^(["'])(.*)\1$/.exec(value)?.[2] ?? value

/** Uses quotes the value doesn't contain. Nothing inside them is special. Null if there are none for it. */
function quoted(value: string): string | null {
  if (/^[\w.,:/@+=-]*$/.test(value)) return value
  if (!/['\n]/.test(value)) return `'${value}'`
  return /["\n$\\]/.test(value) ? null : `"${value}"`
}

export const quotingProblem = (value: string): string | null =>
  quoted(value) === null ? 'can’t go in an env file: remove quotation marks and line breaks.' : null

/** Written atomically and readable by its owner only: it has keys and passwords. */
export function writeEnvFile(path: string, values: Values, { mayReplace }: { mayReplace: boolean }): void {
  const lines = Object.entries(values).map(([name, value]) => `${name}=${quoted(value)}\n`)
  const unfinished = `${path}.new`
  try {
    if (existsSync(path) && !mayReplace) throw new Error('There’s already a file with that name.')
    rmSync(unfinished, { force: true })
    writeFileSync(unfinished, `# Written by alliance setup. .env.example explains each option.\n${lines.join('')}`, {
      mode: 0o600,
      flag: 'wx',
    })
    renameSync(unfinished, path)
  } catch (error) {
    throw new CliError(exitCodes.failed, `${path}: ${error instanceof Error ? error.message : 'Can’t write it.'}`)
  }
}
