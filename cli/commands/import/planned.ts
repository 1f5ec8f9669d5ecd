import type { Client } from '#cli/connection.ts'
import { CliError, exitCodes } from '#cli/exit-codes.ts'
import { csvOfRecord, type Output, sectionsOutput } from '#cli/output.ts'
import { request } from '#cli/request.ts'
import { type Call, changeRow, type Described, type OptionRow } from '#cli/rows.ts'
import { uploadImport } from '#cli/upload.ts'
import { Import, type ImportKindName, type ImportOptions } from '#shared/contract/imports.ts'
import { importNoun, movedInBefore, onlyStopsOf } from '#shared/rules/imports.ts'
import { importOutput } from './output.ts'
import { inTerminalWords } from './terminal-rules.ts'
import { finishWork, planWork } from './work.ts'

export function applyPlanned(call: Call, facts: Import) {
  return async (client: Client) => {
    const { api } = client
    if (facts.state === 'applied') return foundOutput(client, facts)
    if (facts.problem !== null) throw new CliError(exitCodes.failed, inTerminalWords(facts.problem))
    const begun = await request(Import, api.admin.imports({ id: facts.id }).apply.post()).catch(sayInTerminal)
    return importOutput(client, await finishWork(call.io, call.options, client, begun))
  }
}

function sayInTerminal(error: unknown): never {
  if (error instanceof CliError) error.message = inTerminalWords(error.message)
  throw error
}

type File = { path: string; remove?: () => void }
type FileImport = Described & {
  kind: ImportKindName
  /** Checks the options once. `file` may pack several into one, and `remove` deletes that. */
  read(call: Call): { options: ImportOptions; file: () => File | Promise<File> }
}

/** A kind that comes from a file. With `--rehearse` it's applied to a copy of this machine's data. */
export const fileImportRow = ({ kind, read, ...row }: FileImport) =>
  changeRow<Import | null>({
    ...row,
    options: [...(row.options ?? []), rehearseOption],
    asks: true,
    plan(call) {
      const work = planning(call, kind, read(call))
      return async (client) => (isRehearsal(call) ? rehearsedPlan(call, work) : plannedOf(client, await work(client)))
    },
    apply: (call, facts) => async (client) => {
      if (facts !== null) return applyPlanned(call, facts)(client)
      const work = planning(call, kind, read(call))
      const output = await onCopy(call, async (copy) => applyPlanned(call, await work(copy))(copy))
      return { ...output, notes: ['Nothing has changed: it was a rehearsal on a copy, which is gone.'] }
    },
  })

const rehearseOption: OptionRow = ['--rehearse', 'try it all on a copy of this machine’s data, and delete the copy']

const isRehearsal = ({ options }: Call) => options.rehearse === true

type Work = (client: Client) => Promise<Import>

async function onCopy(call: Call, work: (copy: Client) => Promise<Output>): Promise<Output> {
  const { rehearse } = await import('#cli/machine/rehearsal.ts')
  return rehearse(call, work)
}

/** With `--dry-run` too, only the plan is made on the copy. Otherwise it comes with the report. */
async function rehearsedPlan(call: Call, work: Work) {
  const only = { title: 'Plan', details: [{ label: 'Rehearsal', value: 'on a copy of this machine’s data' }] }
  const output = call.options.dryRun
    ? await onCopy(call, async (copy) => importOutput(copy, await work(copy)))
    : sectionsOutput({ json: null, csv: () => csvOfRecord({ rehearsal: true }) }, [only])
  return { facts: null, question: null, output }
}

function planning(call: Call, kind: ImportKindName, { options, file }: ReturnType<FileImport['read']>) {
  return async (client: Client): Promise<Import> => {
    const { path, remove } = await file()
    try {
      return await planWork(call, client, { kind, upload: await uploadImport(client, path), options })
    } finally {
      remove?.()
    }
  }
}

/** One that was moved in before needs no question: there's nothing left to do. */
export async function plannedOf(client: Client, facts: Import) {
  const { kind, counts, state, problem } = facts
  const verb = kind === 'stripe' ? 'Adopt' : 'Move in'
  const isOpen = state === 'planned' && problem === null && (kind !== 'stripe' || counts.new > 0)
  const onlyStops = onlyStopsOf(facts)
  const asks = onlyStops === null ? `${verb} ${importNoun(facts, counts.new)}` : `Stop campaigns to ${onlyStops}`
  const question = isOpen ? `${asks}?` : null
  return { facts, output: await foundOutput(client, facts), question }
}

/** Its own sentence would say that it's been moved in just now. */
const foundOutput = (client: Client, facts: Import) =>
  importOutput(client, facts, facts.state === 'applied' && facts.kind !== 'stripe' ? movedInBefore(facts) : undefined)
