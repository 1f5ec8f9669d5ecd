import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { releaseNamespace, releaseSigner } from '#shared/contract/release.ts'
import { runProgram } from './run-program.ts'

/** The line an installed release checks the next one by. Makes the key if there's none. */
export function signersOf(key: string): string {
  if (!existsSync(key)) makeKey(key)
  const [type, text] = readFileSync(`${key}.pub`, 'utf8').split(' ')
  return `${releaseSigner} namespaces="${releaseNamespace}" ${type} ${text?.trim()}\n`
}

function makeKey(key: string): void {
  mkdirSync(dirname(key), { recursive: true, mode: 0o700 })
  runProgram(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-C', releaseSigner, '-f', key])
  console.log(`Made a key to sign releases with: ${key}. Keep it safe. Sites take updates by this key only.`)
}

/** Writes the signature next to the file, as FILE.sig. */
export function sign(file: string, key: string): void {
  runProgram(['ssh-keygen', '-q', '-Y', 'sign', '-f', key, '-n', releaseNamespace, file])
}
