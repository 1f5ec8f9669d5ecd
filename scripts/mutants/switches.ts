// The switches that `withSwitches` writes into the sources, as the test process sets and reads them.

const none = -1
let active = none
let passesLeft = 0
let passes = new Map<number, number>()

/** Called by every switch that's passed. */
function isOn(id: number): boolean {
  passes.set(id, (passes.get(id) ?? 0) + 1)
  if (id !== active) return false
  passesLeft -= 1
  // A loop that never ends passes the switch that made it so.
  if (passesLeft < 0) throw new Error('With this fault it never ends.')
  return true
}

Object.assign(globalThis, { $fault: isOn })

/** How often each switch was passed since the last call. */
export function takePasses(): Map<number, number> {
  const taken = passes
  passes = new Map()
  return taken
}

export function switchOn(id: number, maxPasses: number): void {
  active = id
  passesLeft = maxPasses
}

export function switchOff(): void {
  active = none
}
