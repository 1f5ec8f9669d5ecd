import { roundLine, runRound } from '#cli/testing/copy-rounds.ts'
import type { Proof } from './proof.ts'

/** A site and Litestream itself, killed again and again, and another machine that takes over. */
export async function proveCopies(proof: Proof, count: number): Promise<void> {
  const { rounds } = proof.state.copies
  while (rounds.length < count) {
    const { faults, ...round } = await runRound(rounds.length)
    rounds.push(round)
    proof.found(faults.map((fault) => `copies, ${roundLine({ ...round, faults })}: ${fault}`))
    proof.progress('kill -9 beside Litestream', rounds.length, count)
  }
}
