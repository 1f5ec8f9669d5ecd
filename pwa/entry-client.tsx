import { StrictMode, startTransition } from 'react'
import { captureInstallPrompt } from '#pwa/lib/install-offer.ts'
import { createQueryClient, readPageState } from '#pwa/lib/query-client.ts'
import { reloadOnStaleChunks, trackEditedForms } from '#pwa/lib/reload.ts'
import { onCaughtError } from '#pwa/lib/request-error.ts'
import { App, createAppRouter, skipFirstScroll } from '#pwa/lib/router.tsx'
import './site.css'

/** The shell stays this long at most while the first route loads; then the app shows its loading state. */
const shellTimeoutMs = 1_000

/** Between the steps the page, which can be read already, responds to touches. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve))

async function start(root: HTMLElement): Promise<void> {
  await nextTask()
  const { content, responses } = readPageState()
  const queryClient = createQueryClient()
  const isRendered = root.dataset.page === 'page'
  // Not awaited: what is shown first, the member's list, comes from another store.
  if (!isRendered)
    import('#pwa/lib/cached-responses.ts')
      .then(({ persistPublicResponses }) => persistPublicResponses(queryClient))
      .catch(reportError)
  for (const { key, data } of responses) queryClient.setQueryData(key, data)
  const router = createAppRouter({ queryClient, content })
  // The shell has nothing to read: what its page shows is requested before anything else is done.
  const loaded = isRendered ? null : router.load()
  await nextTask()
  // Evaluating React takes longer than all else here, so it has a task of its own.
  const { createRoot, hydrateRoot } = await import('react-dom/client')
  await nextTask()
  const app = (
    <StrictMode>
      <App router={router} />
    </StrictMode>
  )
  if (loaded) {
    // What the server sent stays until there is something to replace it.
    await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, shellTimeoutMs))])
    createRoot(root, { onCaughtError }).render(app)
    return
  }
  // Tells the router that its first matches are already on the page.
  router.ssr = { manifest: undefined }
  await router.load()
  skipFirstScroll(router)
  await nextTask()
  const { href } = window.location
  // A page that does not match what the server sent is a defect and must be reported, unless the visitor left it while React
  // was hydrating it: then nothing matches any more.
  const onRecoverableError = (error: unknown) => href === window.location.href && reportError(error)
  startTransition(() => {
    hydrateRoot(root, app, { onCaughtError, onRecoverableError })
  })
}

trackEditedForms()
captureInstallPrompt()
reloadOnStaleChunks()
const root = document.getElementById('root')
// Not awaited: chunks that the app loads while it starts may import from this one, and would wait for it.
if (root) start(root).catch(reportError)
