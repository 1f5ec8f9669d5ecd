import { type ReactNode, use } from 'react'
import { loadFile } from './load-file.ts'

/**
 * The component of a route whose page lies in a file of its own. The router loads that beside the route's data, before it shows
 * the page, and again on the next visit if it didn't come.
 */
export function lazyPage<Module, Props>(
  load: () => Promise<Module>,
  render: (module: Module, props: Props) => ReactNode,
): ((props: Props) => ReactNode) & { preload: () => Promise<void> } {
  let loaded: { module: Module } | undefined
  let failure: { error: unknown } | undefined
  let loading: Promise<void> | undefined
  const begin = async () => {
    failure = undefined
    try {
      loaded = { module: await loadFile(load) }
    } catch (error) {
      failure = { error }
      loading = undefined
    }
  }
  const preload = () => {
    loading ??= begin()
    return loading
  }
  const page = (props: Props) => {
    if (failure) throw failure.error
    if (!loaded) use(preload())
    return loaded && render(loaded.module, props)
  }
  return Object.assign(page, { preload })
}
