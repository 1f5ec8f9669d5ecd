import * as v from 'valibot'

export const faultSchema = v.strictObject({
  /**
   * `lost`: the work is done, then the connection is cut. `error`: 500 before any work. `error_after`: the work is done,
   * then 500. `delay`: waits `ms` before the work. `hang`: no work and no answer until the client gives up; `hang_after`:
   * the work is done, then the same. `refuse`: `status` (400) with `code`, and no work.
   */
  kind: v.picklist(['lost', 'error', 'error_after', 'delay', 'hang', 'hang_after', 'refuse']),
  /** Requests it strikes: of this method and with this beginning of the path. Without them, any API request. */
  method: v.optional(v.string()),
  path: v.optional(v.string(), '/v1/'),
  times: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 1),
  ms: v.optional(v.pipe(v.number(), v.minValue(0)), 0),
  code: v.optional(v.string()),
  status: v.optional(v.pipe(v.number(), v.integer(), v.minValue(400), v.maxValue(499)), 400),
})

export type Fault = v.InferOutput<typeof faultSchema>

export type Faults = { add(fault: Fault): void; clear(): void; take(method: string, path: string): Fault | null }

/** Failures that a test ordered, each used up after its `times`. */
export function createFaults(): Faults {
  let waiting: Fault[] = []
  return {
    add(fault) {
      waiting.push(fault)
    },
    clear() {
      waiting = []
    },
    take(method, path) {
      const fault = waiting.find((each) => (each.method ?? method) === method && path.startsWith(each.path))
      if (fault === undefined) return null
      fault.times -= 1
      waiting = waiting.filter((each) => each.times > 0)
      return fault
    },
  }
}
