import { accessSync, constants, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { thisRelease } from '#api/release.ts'
import { CliError, exitCodes, reasonFor } from '#cli/exit-codes.ts'
import { isDenied, userName } from '#cli/system-error.ts'

/** Tried when it's set, because the night is a bad time to find out. */
export function assertMayBackUpTo(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    rmSync(mkdtempSync(join(folder, '.try-')), { recursive: true })
  } catch (error) {
    const next = isDenied(error) ? `${openingOf(folder, error)} Or leave --to out.` : insteadOf
    throw new CliError(exitCodes.failed, `We can’t write to ${folder} (${reasonFor(error)}). ${next}`)
  }
  if (isClosedToService(folder)) {
    throw new CliError(
      exitCodes.failed,
      `The service can’t write to ${folder}. ${insteadOf} To open it, add a ReadWritePaths line: systemctl edit alliance`,
    )
  }
}

/** The terminal works as the site's user, which may write little outside the data folder. */
export function openingOf(folder: string, error: unknown): string {
  if (!isDenied(error)) return 'Name another: --to <folder>'
  const closed = foldersAbove(folder).find((above) => !mayEnter(above))
  if (closed !== undefined) return `The user ${userName()} can’t get into ${closed}. Name a folder outside it.`
  return `Make it the user ${userName()}’s: sudo install -d -o ${userName()} -m 700 ${folder}`
}

/** From the top down. */
function foldersAbove(folder: string): string[] {
  const above = dirname(folder)
  return above === folder ? [] : [...foldersAbove(above), above]
}

/** Also yes for one that isn't there. */
function mayEnter(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK)
    return true
  } catch (error) {
    return !isDenied(error)
  }
}

const insteadOf = 'Leave --to out to keep backups in the data folder.'

/** A release's unit lets the server write less than its user may. */
function isClosedToService(folder: string): boolean {
  if (thisRelease() === null || Bun.which('systemctl') === null) return false
  const shown = Bun.spawnSync(['systemctl', 'show', 'alliance', '--property=ReadWritePaths']).stdout.toString()
  const [, paths = ''] = /^ReadWritePaths=(.+)$/m.exec(shown) ?? []
  const open = paths.split(' ').map((path) => path.replace(/^[-+]+/, ''))
  return paths !== '' && !open.some((path) => `${folder}/`.startsWith(`${path}/`))
}
