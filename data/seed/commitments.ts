import type { CommitmentState } from '#shared/contract/commitments.ts'

/** What members of a sandbox have said they'd do, by their address. `inDays`: its day, from today; `doneInDays`: when it was done. */
type CommitmentSeed = {
  email: string
  text: string
  inDays: number
  madeBy?: 'coach' | 'member'
  /** A video's title. */
  video?: string
} & ({ state: Exclude<CommitmentState, 'done'> } | { state: 'done'; doneInDays: number })

export const commitmentSeeds: readonly CommitmentSeed[] = [
  { email: 'xl@alliance.test', text: 'Ring the two builders from the merchant’s', inDays: 3, state: 'open' },
  {
    email: 'xl@alliance.test',
    text: 'Put my day rate up to £320',
    inDays: -2,
    state: 'open',
    video: 'The year on one page',
  },
  { email: 'xl@alliance.test', text: 'Send out every invoice on the day', inDays: -9, state: 'done', doneInDays: -10 },
  {
    email: 'xl@alliance.test',
    text: 'Write down what the site manager costs you a week',
    inDays: 6,
    state: 'proposed',
    madeBy: 'coach',
  },
  { email: 'lite@alliance.test', text: 'Name the job on every receipt', inDays: 5, state: 'open' },
  {
    email: 'standard@alliance.test',
    text: 'Fill in the page for next year',
    inDays: -6,
    state: 'done',
    doneInDays: -6,
  },
  { email: 'standard@alliance.test', text: 'Chase the £1,400 from June', inDays: -12, state: 'done', doneInDays: -8 },
]
