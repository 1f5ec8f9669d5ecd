import type { QueryClient } from '@tanstack/react-query'
import type { PageName, PageTexts } from '#shared/contract/page-texts.ts'
import type { SiteContent } from '#shared/contract/site-content.ts'
import { pageHead } from './page-head.ts'
import { pageTextQuery } from './page-texts.ts'
import { type RouterContext, requireQuery } from './router.tsx'

type Loaded<Text> = { match: { context: RouterContext }; loaderData?: Text | undefined }

/** What a page tells search engines, in schema.org's words without their `@context`; `known` holds the loader's answers. */
type Facts<Text> = (text: Text, site: SiteContent, known: QueryClient) => object[]

/**
 * Options of a public route whose words owners edit; its loader answers the texts of the page of this name. Give `facts`
 * on the server alone (`import.meta.env.SSR`): nobody reads them in a browser, so no browser loads what makes them.
 */
export const textPage = <Name extends PageName>(name: Name, facts: Facts<PageTexts[Name]> = () => []) => ({
  staticData: { isPublic: true },
  loader: ({ context }: { context: RouterContext }): Promise<PageTexts[Name]> =>
    requireQuery(context, pageTextQuery(name)),
  head: ({ match, loaderData }: Loaded<PageTexts[Name]>) => {
    const { content: site, queryClient } = match.context
    if (!loaderData) return {}
    return pageHead({ ...loaderData, siteName: site.brand.name, jsonLd: facts(loaderData, site, queryClient) })
  },
})
