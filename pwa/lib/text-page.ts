import { type FetchQueryOptions, type QueryKey, queryOptions } from '@tanstack/react-query'
import type { PageName, PageTexts } from '#shared/contract/page-texts.ts'
import { loadFile } from './load-file.ts'
import { prefetchQuery, type RouterContext, requireQuery } from './loader-data.ts'
import { pageHead } from './page-head.ts'
import { structuredData } from './structured-data.ts'

export const pageTextQuery = <Name extends PageName>(page: Name) =>
  queryOptions({
    queryKey: ['site-content', page],
    queryFn: async (): Promise<PageTexts[Name]> =>
      (await loadFile(() => import('./public-requests.ts'))).requestPageTexts(page),
  })

type Loaded<Text> = { match: { context: RouterContext }; loaderData?: Text | undefined }

/**
 * The options of a public route with editable texts; its loader returns them. `query` is for one more part of the page: without its
 * data the page still shows, and that part says it's missing.
 */
export function textPage<Name extends PageName, Data, Key extends QueryKey>(
  name: Name,
  query?: FetchQueryOptions<Data, Error, Data, Key>,
) {
  return {
    staticData: { isPublic: true },
    loader: async ({ context }: { context: RouterContext }): Promise<PageTexts[Name]> => {
      const text = requireQuery(context, pageTextQuery(name))
      await Promise.all([text, query && prefetchQuery(context, query)])
      return text
    },
    head: ({ match, loaderData }: Loaded<PageTexts[Name]>) => {
      const { content: site, queryClient } = match.context
      if (!loaderData) return {}
      // Only search engines read it, so no browser loads the code that makes it.
      const jsonLd = import.meta.env.SSR ? structuredData[name]?.(loaderData, site, queryClient) : undefined
      return pageHead({ ...loaderData, siteName: site.brand.name, jsonLd: jsonLd ?? [] })
    },
  }
}
