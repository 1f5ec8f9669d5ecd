import { existsSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { type SharedOptions, serverOrigin } from '#cli/client.ts'
import { CliError, exitCodes, usageError } from '#cli/exit-codes.ts'
import { examples } from '#cli/help.ts'
import { type Io, notify, projectPath } from '#cli/io.ts'
import type { Values } from '#cli/machine/setup-checks.ts'
import { csvOfRecord, note, print, sectionsOutput } from '#cli/output.ts'
import { confirm, promptLine } from '#cli/prompt.ts'
import { userName } from '#cli/system-error.ts'
import { quotingProblem, readEnvFile, writeEnvFile } from './env-file.ts'
import {
  type CheckName,
  checkNames,
  fixedValues,
  hasSecondPlace,
  isDemo,
  isLive,
  type Question,
  questions,
} from './questions.ts'

type SetupOptions = SharedOptions & { answers?: string; sandbox?: true; skip?: string; yes?: true }
type Checks = typeof import('#cli/machine/setup-checks.ts')

export function registerSetup(setup: Command, io: Io): void {
  setup
    .option('--answers <file>', 'read the answers from a file of NAME=value lines')
    .option('--sandbox', 'set up a demo: no money moves, and no email leaves')
    .option('--skip <checks>', `skip checks that can’t run yet: ${checkNames.join(', ')}, separated by commas`)
    .option('-y, --yes', 'replace the existing .env')
    .addHelpText(
      'after',
      `
Writes .env in this folder, creates the webhook endpoint at Stripe, and
prints the config for your service and proxy. Nothing is written until
every answer passes. If you stop halfway, your answers are kept.
${examples('setup', 'setup --sandbox', 'setup --answers answers.env --skip domain')}`,
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
  const read = (path: string) => (existsSync(path) ? readEnvFile(path, checks.optionNames) : {})
  const [before, last] = [read(file), given === null ? read(keptFile(file)) : {}]
  const mode = options.sandbox ? { ALLOW_SANDBOX: '1' } : (given ?? (await askMode(io, { ...before, ...last })))
  const asking = { io, checks, given, mode, before, last, skipped: skippedOf(options.skip) }
  const values = await keepingAnswers(asking, file, () => collectAll(asking))
  writeEnvFile(file, values, { mayReplace })
  rmSync(keptFile(file), { force: true })
  await showNewKey(io, values, before)
  await scheduleBackups(io, values)
  await printLines(io, options, { file, values })
}

const keptFile = (file: string) => `${file}.answers`

async function askMode(io: Io, { ALLOW_SANDBOX: before }: Values): Promise<Values> {
  const preset = before === '1' ? 'sandbox' : 'live'
  for (;;) {
    const line = await promptLine(io, `Sandbox or live? In a sandbox no money moves and no email leaves [${preset}]: `)
    const mode = line.trim().toLowerCase() || preset
    if (mode === 'live') return {}
    if (mode === 'sandbox') return { ALLOW_SANDBOX: '1' }
  }
}

/** A dozen answers are a lot to type again, so they are the presets of the next run, however this one ends. */
async function keepingAnswers(asking: Asking, file: string, work: () => Promise<Values>): Promise<Values> {
  try {
    return await work()
  } catch (error) {
    const { io, given, last, mode } = asking
    if (given === null && Object.keys(last).length > 0) {
      writeEnvFile(keptFile(file), { ...last, ...mode }, { mayReplace: true })
      await notify(io, `Your answers so far are kept in ${keptFile(file)}. To go on: alliance setup`)
    }
    throw error
  }
}

async function collectAll(asking: Asking): Promise<Values> {
  const { io, checks } = asking
  const values = await collectValues(asking)
  const whole = isDemo(values) ? values : { ...values, STRIPE_WEBHOOK_SECRET: await webhookSecret(asking, values) }
  const problem = checks.settingsProblem(whole)
  if (problem !== null) throw new CliError(exitCodes.failed, problem)
  if (io.signal.aborted) throw new CliError(exitCodes.cancelled)
  return whole
}

/** Its schedule is in the database, which a new site doesn't have yet. Without one, last week's members would be gone with the disk. */
async function scheduleBackups(io: Io, values: Values): Promise<void> {
  if (!hasSecondPlace(values) && !isLive(values)) return
  const { scheduleFirst } = await import('#cli/machine/backup.ts')
  const site: Io = Object.create(io, { env: { value: values } })
  try {
    const schedule = await scheduleFirst(site)
    await notify(io, `Nightly backup at ${schedule?.at}, into ${schedule?.folder}. Change it: alliance backup schedule`)
  } catch (error) {
    await notify(
      io,
      `No nightly backup is scheduled: ${error instanceof Error ? error.message : error} Then run: alliance backup schedule 03:15`,
    )
  }
}

function skippedOf(given = ''): readonly string[] {
  const names = given.split(',').filter((name) => name !== '')
  const unknown = names.find((name) => !checkNames.some((one) => one === name))
  if (unknown !== undefined) throw usageError(`--skip takes ${checkNames.join(', ')}, not ${unknown}.`)
  return names
}

/**
 * `given`: null if a person answers. `mode`: what makes it a demo. `before`: the values in the current `.env`. `last`: what a person
 * answered, now or in a run that ended early.
 */
type Asking = { io: Io; checks: Checks; given: Values | null; mode: Values } & {
  before: Values
  last: Values
  skipped: readonly string[]
}

async function collectValues(asking: Asking): Promise<Values> {
  const { io, given, mode, before } = asking
  const secret = before.SESSION_SECRET ?? makeSecret()
  let values: Values = { ...fixedValues(''), SESSION_SECRET: secret, ...given, ...mode }
  for (const question of questions) {
    if (question.isAsked?.(values) === false) continue
    if (hasSecondPlace(values)) values = { BACKUP_KEY: before.BACKUP_KEY ?? makeSecret(), ...values }
    const value = await (given === null ? askFor(asking, question, values) : valueGiven(asking, question, values))
    const { [question.name]: _before, ...others } = values
    values = value === '' ? others : { ...others, [question.name]: value }
  }
  const others = given === null ? notAsked(asking, values) : {}
  if (Object.keys(others).length > 0) await notify(io, `Kept as before: ${Object.keys(others).join(', ')}.`)
  return { ...values, ...fixedValues(values.OWNER_EMAILS ?? ''), ...others, ...given, ...mode }
}

/** Options added to `.env` by hand. A file of answers replaces them all. */
function notAsked({ before }: Asking, values: Values): Values {
  if (isDemo(before) !== isDemo(values)) return {}
  const asked = questions.filter(({ isAsked }) => isAsked?.(values) !== false).map(({ name }) => name)
  const ours = new Set([...asked, 'STRIPE_WEBHOOK_SECRET', 'SIMPLE_ADMIN_EMAIL'])
  const isTheirs = ([name, value]: [string, string]) => !ours.has(name) && (values[name] ?? '') !== value
  return Object.fromEntries(Object.entries(before).filter(isTheirs))
}

const makeSecret = () => Buffer.from(crypto.getRandomValues(new Uint8Array(48))).toString('base64')

async function askFor(asking: Asking, question: Question, values: Values): Promise<string> {
  const { io, before, last } = asking
  // A demo's folder isn't a live site's.
  const known = [last, before]
    .filter((one) => isDemo(one) === isDemo(values))
    .find((one) => one[question.name] !== undefined)
  const preset = known?.[question.name] ?? question.preset?.(values) ?? ''
  const shown = preset === '' ? question.text : `${question.text} [${question.isSecret ? 'as before' : preset}]`
  for (;;) {
    const typed = (await promptLine(io, `${shown}: `, { isSecret: question.isSecret ?? false })).trim() || preset
    const value = question.complete?.(typed) ?? typed
    const problem = await problemOf(asking, question, { ...values, [question.name]: value })
    if (problem === null) {
      last[question.name] = value
      return value
    }
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
  const problem = checks.formatProblem(name, value) ?? quotingProblem(value)
  if (problem !== null || check === undefined || skipped.includes(check)) return problem
  const tries: Record<CheckName, (values: Values) => Promise<string | null>> = {
    domain: checks.domainProblem,
    stripe: checks.keyProblem,
    mail: checks.mailProblem,
    backups: checks.backupsProblem,
  }
  return tries[check]({ ...values, ...fixedValues(values.OWNER_EMAILS ?? '') })
}

/** Last, once everything else is valid, because it's the one step that changes someone else's system. */
async function webhookSecret({ io, checks, given, before, skipped }: Asking, values: Values): Promise<string> {
  const isSame = (['PUBLIC_URL', 'STRIPE_SECRET_KEY'] as const).every((name) => before[name] === values[name])
  const known = values.STRIPE_WEBHOOK_SECRET ?? (isSame ? before.STRIPE_WEBHOOK_SECRET : undefined)
  if (known !== undefined) return known
  const problem = checks.settingsProblem(values)
  if (problem !== null) throw new CliError(exitCodes.failed, problem)
  if (skipped.includes('stripe')) throw usageError('If you skip Stripe, put STRIPE_WEBHOOK_SECRET in the answers.')
  for (;;) {
    const made = await checks.makeWebhookSecret(values)
    if ('secret' in made) return made.secret
    if (given !== null) throw new CliError(exitCodes.failed, made.problem)
    await notify(io, made.problem)
    const typed = await promptLine(io, 'Its secret (whsec_…), or Enter to try again: ', { isSecret: true })
    if (typed.trim() !== '') return typed.trim()
  }
}

/** Shown once: without it no one opens the backups. */
async function showNewKey(io: Io, { BACKUP_KEY: key }: Values, before: Values): Promise<void> {
  if (key === undefined || key === before.BACKUP_KEY) return
  await notify(io, 'Only this key opens your backups at the second place. Write it down somewhere else now:')
  await notify(io, key)
}

async function printLines(io: Io, options: SetupOptions, { file, values }: { file: string; values: Values }) {
  const { host } = new URL(values.PUBLIC_URL ?? '')
  const machine = { folder: projectPath(io, '.'), user: userName(), host, port: values.PORT ?? '3000' }
  const { caddyLines, howToStart, nginxLines, serviceFile } = await import('#cli/machine/service-lines.ts')
  const lines = { service: serviceFile(machine), caddy: caddyLines(machine), nginx: nginxLines(machine) }
  const output = sectionsOutput({ json: { file, ...lines }, csv: () => csvOfRecord({ file, ...lines }) }, [])
  const heads = { service: '# /etc/systemd/system/alliance.service', caddy: '# Caddyfile', nginx: '# or nginx' }
  const text = () => (['service', 'caddy', 'nginx'] as const).map((name) => `${heads[name]}\n${lines[name]}`).join('\n')
  const { terminal: _plain, ...plain } = output
  await print(io, options, { ...plain, text })
  await note(io, options, `${file} is written, readable only by you. Next: alliance doctor, then ${howToStart()}.`)
}
