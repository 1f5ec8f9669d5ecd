import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Argument, type Command } from 'commander'
import { type SharedOptions, withClient } from '#cli/client.ts'
import { CliError, exitCodes, usageError } from '#cli/exit-codes.ts'
import { examples } from '#cli/help.ts'
import type { Io } from '#cli/io.ts'
import { isForScript, note, type Output, print, recordOutput } from '#cli/output.ts'
import { request } from '#cli/request.ts'
import { Done } from '#shared/contract/auth.ts'
import { type Report, type ReportKind, ReportResponse, reportKinds } from '#shared/contract/report.ts'
import { reportLines, reportTitle } from '#shared/rules/report-text.ts'

type ReportOptions = SharedOptions & { always?: true; mail?: true; watch?: boolean; heartbeat?: string }

export function registerReport(report: Command, io: Io): void {
  report
    .addArgument(new Argument('<kind>', 'of yesterday, last week or last month').choices([...reportKinds]))
    .option('--always', 'report again, even if nothing happened')
    .option('--mail', 'email it to the owners instead of printing it')
    .option('--watch', 'from now on, /health warns if a report doesn’t run')
    .option('--no-watch', 'stop warning')
    .option('--heartbeat <file>', 'write the time to this file on each run')
    .addHelpText(
      'after',
      `
Prints nothing, with exit code 0, if nothing happened or that time has
been reported. Each day, week and month is reported once.
${examples('report daily', 'report weekly --mail --watch', 'report monthly --always --json')}`,
    )
    .action((kind: ReportKind, _own, command: Command) => bringReport(io, command.optsWithGlobals(), kind))
}

async function bringReport(io: Io, options: ReportOptions, kind: ReportKind): Promise<void> {
  const { always = false, mail = false, watch } = options
  if (mail && isForScript(options)) throw usageError('Use one of --mail, --json and --csv.')
  await withClient(io, options, async ({ api }) => {
    const reports = api.admin.reports({ kind })
    const body = { always, mail, ...(watch === undefined ? {} : { watch }) }
    const { report, isDue, claim, mailedTo } = await request(ReportResponse, reports.post(body))
    if (isDue && mail && mailedTo.length === 0) {
      throw new CliError(exitCodes.failed, 'No owner to email it to. Set OWNER_EMAILS.')
    }
    if (isDue && !mail) await print(io, options, reportOutput(report))
    // We confirm after printing: if this process dies first, the next run prints it.
    if (claim !== null) await request(Done, reports.done.post({ claim }))
    if (isDue && mail && io.isTTY.stdout) await note(io, options, `Emailed to ${mailedTo.join(', ')}.`)
  })
  if (options.heartbeat !== undefined) writeHeartbeat(io, options.heartbeat)
}

/** Written atomically, so whatever watches the file never reads half a time. */
function writeHeartbeat(io: Io, path: string): void {
  const file = resolve(io.cwd, path)
  const folder = dirname(file)
  if (!existsSync(folder)) {
    const next = `Create it with mkdir -p ${folder}, or name another file.`
    throw new CliError(exitCodes.failed, `There’s no folder ${folder} for the heartbeat. ${next}`)
  }
  writeFileSync(`${file}.new`, `${io.now().toISOString()}\n`)
  renameSync(`${file}.new`, file)
}

function reportOutput(report: Report): Output {
  const lines = reportLines(report)
  const { kind, from, to, mrr, payments, refunds, failures, applications, contacts, calls } = report
  const record = {
    kind,
    from,
    to,
    mrrPence: mrr.total,
    subscriptions: mrr.subscriptions,
    payments: payments.count,
    paymentsPence: payments.gross,
    refunds: refunds.count,
    refundsPence: refunds.gross,
    movements: report.movements.length,
    failedPayments: failures.total,
    applications: applications.total,
    contacts: contacts.total,
    calls: calls.total,
    findings: report.findings.length,
  }
  const title = reportTitle(report)
  const details = lines.map(([label, value]) => ({ label, value }))
  const output = recordOutput(title, details, record, report)
  // Cron's email has no frame with the title.
  return { ...output, text: () => `${title}\n\n${output.text()}` }
}
