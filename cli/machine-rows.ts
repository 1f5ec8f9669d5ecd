import { serverOrigin } from './client.ts'
import { usageError } from './exit-codes.ts'
import { type Output, printShown } from './output.ts'
import {
  type Call,
  type CommandRow,
  type Described,
  type Done,
  doPlanned,
  finishOnce,
  type Planned,
  printDone,
  withPlanOptions,
} from './rows.ts'

type MachineShow<Value> = Described & {
  read(call: Call): Promise<Value>
  output(value: Value, call: Call): Output | Promise<Output>
}

/** A change to this machine's files. Like every change it's planned, confirmed, and finished once begun. */
type MachineChange<Facts> = Described & {
  asks?: true
  plan(call: Call): Promise<Planned<Facts>>
  apply(call: Call, facts: Facts): Promise<Done>
}

export const machineShowRow = <Value>({ read, output, ...row }: MachineShow<Value>): CommandRow => ({
  ...row,
  kind: 'show',
  isOfMachine: true,
  async run(call, path) {
    assertOnThisMachine(call, path)
    await printShown(call, await output(await read(call), call))
  },
})

export const machineChangeRow = <Facts>({ plan, apply, ...row }: MachineChange<Facts>): CommandRow => ({
  ...row,
  kind: 'change',
  isOfMachine: true,
  options: withPlanOptions(row),
  async run(call, path) {
    assertOnThisMachine(call, path)
    const done = await doPlanned({ call, path, row }, await plan(call), (facts) => apply(call, facts))
    if (done !== null) await printDone(call, done)
  },
})

/** One that needs no plan. */
export const machineActRow = ({ act, ...row }: Described & { act(call: Call): Promise<Done> }): CommandRow => ({
  ...row,
  kind: 'act',
  isOfMachine: true,
  async run(call, path) {
    assertOnThisMachine(call, path)
    await printDone(call, await finishOnce(call.io, () => act(call)))
  },
})

/** A remote login can't reach this machine's files. */
function assertOnThisMachine({ io, options }: Call, path: string): void {
  if (serverOrigin(io, options) !== null) {
    throw usageError(`${path} works on this machine’s files and doesn’t support --api.`)
  }
}
