import type { PageState } from '#shared/contract/page.ts'

/** What the server put into the document for the browser to start with. */
export function readPageState(): PageState {
  const text = document.getElementById('state')?.textContent
  if (!text) throw new Error('The page came without its state')
  // Not checked: the text was written by the server that sent this script.
  return JSON.parse(text) as PageState
}
