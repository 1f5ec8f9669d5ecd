import { queryOptions } from '@tanstack/react-query'
import type { PageName, PageTexts } from '#shared/contract/page-texts.ts'

/** What owners wrote for one page. The API's client comes with the first call: a page that the server sent brings its own. */
export const pageTextQuery = <Name extends PageName>(page: Name) =>
  queryOptions({
    queryKey: ['site-content', page],
    queryFn: async (): Promise<PageTexts[Name]> => (await import('./ask-for-texts.ts')).askForTexts(page),
  })
