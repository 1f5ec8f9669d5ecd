/** In the order they were opened. Everything outside the last one is inert, so a message has to stand within it. */
let open: readonly HTMLDialogElement[] = []
const watchers = new Set<() => void>()

export const topDialog = () => open.at(-1)

export function watchDialogs(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** Returns what says that it’s closed. */
export function noteOpenDialog(dialog: HTMLDialogElement): () => void {
  change([...open, dialog])
  return () => change(open.filter((one) => one !== dialog))
}

function change(dialogs: typeof open): void {
  open = dialogs
  for (const watcher of watchers) watcher()
}
