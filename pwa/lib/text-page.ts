import { type FetchQueryOptions, type QueryKey, queryOptions } from '@tanstack/react-query'
import type { PageName, PageTexts } from '#shared/contract/page-texts.ts'
import { pageHead } from './page-head.ts'
import { prefetchQuery, type RouterContext, requireQuery } from './router.tsx'
import { structuredData } from './structured-data.ts'

/** The texts of one page, as owners wrote them. */
export const pageTextQuery = <Name extends PageName>(page: Name) =>
  queryOptions({
    queryKey: ['site-content', page],
    queryFn: async (): Promise<PageTexts[Name]> => (await import('./public-requests.ts')).requestPageTexts(page),
  })

type Loaded<Text> = { match: { context: RouterContext }; loaderData?: Text | undefined }

/**
 * Options of a public route whose texts owners edit; its loader returns them. `query` is what one part of the page shows
 * besides: the page does without it, and that part says that it is missing.
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
      // Only search engines read it, so no browser loads what makes it.
      const jsonLd = import.meta.env.SSR ? structuredData[name]?.(loaderData, site, queryClient) : undefined
      return pageHead({ ...loaderData, siteName: site.brand.name, jsonLd: jsonLd ?? [] })
    },
  }
}
