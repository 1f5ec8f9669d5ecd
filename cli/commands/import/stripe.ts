import { usageError } from '#cli/exit-codes.ts'
import { note } from '#cli/output.ts'
import { type Call, changeRow } from '#cli/rows.ts'
import { type Import, type ImportOptions, noImportOptions } from '#shared/contract/imports.ts'
import { parseTierChoice } from '#shared/rules/adoption.ts'
import { switchOffSteps } from '#shared/rules/adoption-texts.ts'
import { importOutput } from './output.ts'
import { applyPlanned, plannedOf } from './planned.ts'
import { planWork } from './work.ts'

export const stripe = changeRow<Import>({
  usage: 'stripe',
  description: 'Take over subscriptions that run in your Stripe account already',
  options: [
    ['--tier <price=tier>', 'which tier a price is, or none if it’s no membership (repeat it)', 'repeats'],
    ['--free-access', 'give access to people we can’t take over, until the day they’ve paid up to'],
    ['--rehearse', 'only read, with the restricted key of STRIPE_REHEARSAL_KEY'],
  ],
  examples: [
    'stripe --dry-run',
    'stripe --rehearse',
    'stripe --tier price_1Example=standard --tier price_2Example=none --free-access',
  ],
  asks: true,
  plan(call) {
    const options = optionsOf(call)
    return async (client) => {
      const planned = await plannedOf(client, await planWork(call, client, { kind: 'stripe', upload: null, options }))
      return options.rehearses ? { ...planned, question: null } : planned
    }
  },
  apply: (call, facts) => async (client) => {
    if (facts.options.rehearses || isNothingLeft(facts)) return importOutput(client, facts)
    if (facts.state === 'planned' && facts.problem === null) await tickSteps(call)
    return applyPlanned(call, facts)(client)
  },
})

const isNothingLeft = ({ state, problem, counts }: Import) =>
  state === 'planned' && problem === null && counts.new === 0

function optionsOf({ options }: Call): ImportOptions {
  const given = Array.isArray(options.tier) ? options.tier : []
  const tiers: ImportOptions['tiers'] = {}
  for (const text of given) {
    const choice = parseTierChoice(text)
    if (choice === null) throw usageError('--tier wants a price and its tier, such as price_1Example=standard.')
    tiers[choice.price] = choice.tier
  }
  const [freeAccess, rehearses] = [options.freeAccess === true, options.rehearse === true]
  return { ...noImportOptions, tiers, freeAccess, rehearses }
}

/** No call switches Stripe's own emails off, so an owner says that they have. With `--yes` we only remind them. */
async function tickSteps({ io, options }: Call): Promise<void> {
  const isAnswered = options.yes === true || io.plan !== undefined
  const { confirm } = await import('#cli/prompt.ts')
  for (const step of switchOffSteps) {
    if (isAnswered) await note(io, options, `In Stripe, ${step}`)
    else await confirm(io, `In Stripe, ${step} Done?`, false)
  }
}
