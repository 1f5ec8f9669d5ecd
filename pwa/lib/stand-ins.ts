// Functions that the oldest browsers we promise don't have (scripts/build/browsers.ts), in the part of their shape that we use.
// Imported before anything that calls them, as modules may do while they load. A page loads it only where one is missing.

URL.canParse ??= canParse
Promise.withResolvers ??= withResolvers
AbortSignal.any ??= any
Map.groupBy ??= groupBy

function canParse(url: string | URL, base?: string | URL): boolean {
  try {
    return Boolean(new URL(url, base))
  } catch {
    return false
  }
}

function withResolvers<Value>(): PromiseWithResolvers<Value> {
  let resolve: PromiseWithResolvers<Value>['resolve'] = () => {}
  let reject: PromiseWithResolvers<Value>['reject'] = () => {}
  const promise = new Promise<Value>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return { promise, resolve, reject }
}

function any(signals: readonly AbortSignal[]): AbortSignal {
  const { signal, abort } = abortable()
  for (const one of signals) {
    if (one.aborted) abort(one)
    else one.addEventListener('abort', () => abort(one), { once: true, signal })
  }
  return signal
}

function abortable() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: ({ reason }: AbortSignal) => controller.abort(reason) }
}

function groupBy<Key, Item>(items: Iterable<Item>, keyOf: (item: Item, place: number) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  let place = 0
  for (const item of items) {
    const key = keyOf(item, place++)
    groups.set(key, [...(groups.get(key) ?? []), item])
  }
  return groups
}
