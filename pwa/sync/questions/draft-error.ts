import type { DraftFault } from './shapes.ts'

/** Something can't be added. What the draft held before stays. */
export class DraftError extends Error {
  readonly fault: DraftFault
  constructor(fault: DraftFault) {
    super(`This draft can’t take it: ${fault}.`)
    this.name = 'DraftError'
    this.fault = fault
  }
}
