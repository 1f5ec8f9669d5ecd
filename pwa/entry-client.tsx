import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { watchForms } from './lib/form-in-hand.ts'
import { keepInstallOffer } from './lib/install.ts'
import { readPageState } from './lib/page-state.ts'
import { createQueryClient } from './lib/query-client.ts'
import { App, createAppRouter, keepPlaceOnce } from './lib/router.tsx'
import { reloadOnStaleChunks } from './lib/stale-chunks.ts'
import './site.css'

/** Longer than this a page shows that it waits. */
const patienceMs = 1_000

/** A page that can be read already answers touches between the steps. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve))

const start = async (root: HTMLElement) => {
  const { content, answers } = readPageState()
  const queryClient = createQueryClient()
  const isRendered = root.dataset.page === 'page'
  // Not waited for: what is shown first, the member's list, comes from elsewhere.
  if (!isRendered)
    import('./lib/kept-answers.ts').then(({ keepPublicAnswers }) => keepPublicAnswers(queryClient)).catch(reportError)
  for (const { key, data } of answers) queryClient.setQueryData(key, data)
  if (isRendered) await nextTask()
  const router = createAppRouter({ queryClient, content })
  const app = (
    <StrictMode>
      <App router={router} />
    </StrictMode>
  )
  if (!isRendered) {
    // What the server sent stays until there is something to put in its place.
    await Promise.race([router.load(), new Promise((resolve) => setTimeout(resolve, patienceMs))])
    createRoot(root).render(app)
    return
  }
  // Tells the router that its first matches are already on the page.
  router.ssr = { manifest: undefined }
  await nextTask()
  await router.load()
  keepPlaceOnce(router)
  await nextTask()
  const { href } = window.location
  // A page that does not match what the server sent is a defect, not something to mend in silence; one that was left while
  // React was taking it over matches nothing any more.
  const onRecoverableError = (error: unknown) => href === window.location.href && reportError(error)
  startTransition(() => {
    hydrateRoot(root, app, { onRecoverableError })
  })
}

watchForms()
keepInstallOffer()
reloadOnStaleChunks()
const root = document.getElementById('root')
if (root) await start(root)
