import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { type SharedOptions, serverOrigin } from '#cli/client.ts'
import { CliError, exitCodes, usageError } from '#cli/exit-codes.ts'
import { examples } from '#cli/help.ts'
import { type Io, notify, projectPath } from '#cli/io.ts'
import type { Values } from '#cli/machine/setup-checks.ts'
import { csvOfRecord, note, print, sectionsOutput } from '#cli/output.ts'
import { confirm, promptLine } from '#cli/prompt.ts'
import { readEnvFile, writeEnvFile } from './env-file.ts'
import { type CheckName, checkNames, fixedValues, hasSecondPlace, type Question, questions } from './questions.ts'

type SetupOptions = SharedOptions & { answers?: string; skip?: string; yes?: true }
type Checks = typeof import('#cli/machine/setup-checks.ts')

export function registerSetup(setup: Command, io: Io): void {
  setup
    .option('--answers <file>', 'read the answers from a file of NAME=value lines')
    .option('--skip <checks>', `skip checks that can’t run yet: ${checkNames.join(', ')}, separated by commas`)
    .option('-y, --yes', 'replace the existing .env')
    .addHelpText(
      'after',
      `
Writes .env in this folder, creates the webhook endpoint at Stripe, and
prints the config for your service and proxy. Nothing is written until
every answer passes.
${examples('setup', 'setup --answers answers.env --skip domain')}`,
    )
    .action((_own, command: Command) => setUp(io, command.optsWithGlobals()))
}

async function setUp(io: Io, options: SetupOptions): Promise<void> {
  if (serverOrigin(io, options) !== null) {
    throw usageError('setup writes this machine’s settings and doesn’t support --api.')
  }
  if (options.answers === undefined && !io.isTTY.stdin) {
    throw usageError('setup asks on a terminal. Without one, give it a file: --answers <file>.')
  }
  const checks = await import('#cli/machine/setup-checks.ts')
  const file = projectPath(io, '.env')
  const given = options.answers === undefined ? null : readEnvFile(resolve(io.cwd, options.answers), checks.optionNames)
  const mayReplace = existsSync(file)
  if (mayReplace) await confirm(io, `Replace ${file}?`, options.yes === true)
  const before = mayReplace ? readEnvFile(file, checks.optionNames) : {}
  const asking = { io, checks, given, before, skipped: skippedOf(options.skip) }
  const values = await collectValues(asking)
  const secret = await webhookSecret(asking, values)
  const whole = { ...values, STRIPE_WEBHOOK_SECRET: secret }
  const problem = checks.settingsProblem(whole)
  if (problem !== null) throw new CliError(exitCodes.failed, problem)
  if (io.signal.aborted) throw new CliError(exitCodes.cancelled)
  writeEnvFile(file, whole, { mayReplace })
  await showNewKey(io, values, before)
  await printLines(io, options, { file, values: whole })
}

function skippedOf(given = ''): readonly string[] {
  const names = given.split(',').filter((name) => name !== '')
  const unknown = names.find((name) => !checkNames.some((one) => one === name))
  if (unknown !== undefined) throw usageError(`--skip takes ${checkNames.join(', ')}, not ${unknown}.`)
  return names
}

/** `given`: null if a person answers. `before`: the values in the current `.env`. */
type Asking = { io: Io; checks: Checks; given: Values | null; before: Values; skipped: readonly string[] }

async function collectValues(asking: Asking): Promise<Values> {
  const { given, before } = asking
  let values: Values = { ...fixedValues(''), SESSION_SECRET: before.SESSION_SECRET ?? makeSecret(), ...given }
  for (const question of questions) {
    if (question.isAsked?.(values) === false) continue
    if (hasSecondPlace(values)) values = { BACKUP_KEY: before.BACKUP_KEY ?? makeSecret(), ...values }
    const value = await (given === null ? askFor(asking, question, values) : valueGiven(asking, question, values))
    const { [question.name]: _before, ...others } = values
    values = value === '' ? others : { ...others, [question.name]: value }
  }
  return { ...values, ...fixedValues(values.OWNER_EMAILS ?? ''), ...given }
}

const makeSecret = () => Buffer.from(crypto.getRandomValues(new Uint8Array(48))).toString('base64')

async function askFor(asking: Asking, question: Question, values: Values): Promise<string> {
  const { io } = asking
  const preset = question.preset?.(values) ?? ''
  const shown = preset === '' ? question.text : `${question.text} [${preset}]`
  for (;;) {
    const value = (await promptLine(io, `${shown}: `, { isSecret: question.isSecret ?? false })).trim() || preset
    const problem = await problemOf(asking, question, { ...values, [question.name]: value })
    if (problem === null) return value
    await notify(io, `${question.name} ${problem}`)
  }
}

async function valueGiven(asking: Asking, question: Question, values: Values): Promise<string> {
  const value = values[question.name] ?? question.preset?.(values) ?? ''
  const problem = await problemOf(asking, question, { ...values, [question.name]: value })
  if (problem !== null) throw new CliError(exitCodes.failed, `${question.name} ${problem}`)
  return value
}

async function problemOf({ checks, skipped }: Asking, question: Question, values: Values): Promise<string | null> {
  const { name, check, isOptional } = question
  const value = values[name] ?? ''
  if (value === '') return isOptional?.(values) ? null : 'is needed.'
  const problem = checks.formatProblem(name, value)
  if (problem !== null || check === undefined || skipped.includes(check)) return problem
  const tries: Record<CheckName, (values: Values) => Promise<string | null>> = {
    ...{ domain: checks.domainProblem, stripe: checks.keyProblem, mail: checks.mailProblem },
    backups: checks.backupsProblem,
  }
  return tries[check]({ ...values, ...fixedValues(values.OWNER_EMAILS ?? '') })
}

/** Last, once everything else is valid, because it's the one step that changes someone else's system. */
async function webhookSecret({ checks, before, skipped }: Asking, values: Values): Promise<string> {
  const isSame = (['PUBLIC_URL', 'STRIPE_SECRET_KEY'] as const).every((name) => before[name] === values[name])
  const known = values.STRIPE_WEBHOOK_SECRET ?? (isSame ? before.STRIPE_WEBHOOK_SECRET : undefined)
  if (known !== undefined) return known
  const problem = checks.settingsProblem(values)
  if (problem !== null) throw new CliError(exitCodes.failed, problem)
  if (skipped.includes('stripe')) throw usageError('If you skip Stripe, put STRIPE_WEBHOOK_SECRET in the answers.')
  const made = await checks.makeWebhookSecret(values)
  if ('problem' in made) throw new CliError(exitCodes.failed, made.problem)
  return made.secret
}

/** Shown once: without it no one opens the backups. */
async function showNewKey(io: Io, { BACKUP_KEY: key }: Values, before: Values): Promise<void> {
  if (key === undefined || key === before.BACKUP_KEY) return
  await notify(io, 'Only this key opens your backups at the second place. Write it down somewhere else now:')
  await notify(io, key)
}

async function printLines(io: Io, options: SetupOptions, { file, values }: { file: string; values: Values }) {
  const { host } = new URL(values.PUBLIC_URL ?? '')
  const place = { folder: projectPath(io, '.'), user: userInfo().username, host, port: values.PORT ?? '3000' }
  const { caddyLines, nginxLines, serviceFile } = await import('#cli/machine/service-lines.ts')
  const lines = { service: serviceFile(place), caddy: caddyLines(place), nginx: nginxLines(place) }
  const output = sectionsOutput({ json: { file, ...lines }, csv: () => csvOfRecord({ file, ...lines }) }, [])
  const heads = { service: '# /etc/systemd/system/alliance.service', caddy: '# Caddyfile', nginx: '# or nginx' }
  const text = () => (['service', 'caddy', 'nginx'] as const).map((name) => `${heads[name]}\n${lines[name]}`).join('\n')
  const { terminal: _plain, ...plain } = output
  await print(io, options, { ...plain, text })
  await note(io, options, `${file} is written, readable only by you. Next: alliance doctor, then start the server.`)
}
