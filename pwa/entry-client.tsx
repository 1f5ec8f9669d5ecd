import '#pwa/lib/kept-messages.ts'
import { StrictMode, startTransition } from 'react'
import { captureInstallPrompt } from '#pwa/lib/install-offer.ts'
import { noteDepartures } from '#pwa/lib/leaving.ts'
import { loadFile } from '#pwa/lib/load-file.ts'
import { createQueryClient, readPageState } from '#pwa/lib/query-client.ts'
import { trackEditedForms } from '#pwa/lib/reload.ts'
import { onCaughtError } from '#pwa/lib/request-error.ts'
import { App, createAppRouter, skipFirstScroll } from './router.tsx'
import './site.css'

/** The longest we keep the shell while the first route loads. After that the app shows its loading state. */
const shellTimeoutMs = 1_000

/** Lets the page, which is already readable, respond to touches between the steps. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve))

/** Browsers that we promise, from before 2024, lack some of these. */
const hasAllFunctions = () =>
  'canParse' in URL &&
  'withResolvers' in Promise &&
  'any' in AbortSignal &&
  'groupBy' in Map &&
  CSS.supports('color:light-dark(red,red)')

async function start(root: HTMLElement): Promise<void> {
  await nextTask()
  if (!hasAllFunctions()) (await loadFile(() => import('#pwa/lib/old-browser.ts'))).adaptToOldBrowser()
  const { content, responses } = readPageState()
  const queryClient = createQueryClient()
  const isRendered = root.dataset.page === 'page'
  for (const { key, data } of responses) queryClient.setQueryData(key, data)
  const router = createAppRouter({ queryClient, content })
  // The shell has nothing to read yet, so we request its page's data first.
  const loaded = isRendered ? null : router.load()
  await nextTask()
  // In a task of its own, because evaluating React takes longer than everything else here.
  const { createRoot, hydrateRoot } = await loadFile(() => import('react-dom/client'))
  await nextTask()
  const app = (
    <StrictMode>
      <App router={router} />
    </StrictMode>
  )
  if (loaded) {
    // Leaves the server's HTML in place until there's something to replace it.
    await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, shellTimeoutMs))])
    createRoot(root, { onCaughtError }).render(app)
    await nextTask()
    // Behind the first thing shown: the member's list comes from another store.
    loadFile(() => import('#pwa/lib/cached-responses.ts'))
      .then(({ persistPublicResponses }) => persistPublicResponses(queryClient))
      .catch(reportError)
    return
  }
  // Tells the router that its first matches are already on the page.
  router.ssr = { manifest: undefined }
  await router.load()
  skipFirstScroll(router)
  await nextTask()
  const { href } = window.location
  // A page that doesn't match the server's HTML is a bug to report, unless the visitor left it while React was hydrating: then it
  // can't match.
  const onRecoverableError = (error: unknown) => href === window.location.href && reportError(error)
  startTransition(() => {
    hydrateRoot(root, app, { onCaughtError, onRecoverableError })
  })
}

trackEditedForms()
captureInstallPrompt()
noteDepartures()
const root = document.getElementById('root')
// Not awaited: chunks the app loads while starting may import from this one, and would wait for it.
if (root)
  start(root).catch((error) => {
    globalThis.doWithoutApp?.()
    reportError(error)
  })
