import type { QueryClient } from '@tanstack/react-query'
import { noteFormsKept } from '#pwa/lib/forms-kept.ts'
import { createBrowserPlatform } from '#pwa/sync/browser-platform.ts'
import { createFormQueue, type FormQueue } from '#pwa/sync/forms/queue.ts'

function open(): FormQueue {
  const queue = createFormQueue(createBrowserPlatform())
  queue.watch(({ forms, receipts }) => noteFormsKept(forms.length + receipts.length > 0))
  queue.start()
  return queue
}

const opened = new WeakMap<QueryClient, FormQueue>()

/** The one queue of this page's life; opened at the first call. */
export function formQueue(queryClient: QueryClient): FormQueue {
  const queue = opened.get(queryClient) ?? open()
  opened.set(queryClient, queue)
  return queue
}

/** Ends with its page. */
export const closeFormQueue = (queryClient: QueryClient) => opened.get(queryClient)?.stop()
