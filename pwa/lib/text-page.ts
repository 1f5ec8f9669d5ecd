import type { PageName, PageTexts } from '#shared/contract/page-texts.ts'
import { pageHead } from './page-head.ts'
import { pageTextQuery } from './page-texts.ts'
import { need, type RouterContext } from './router.tsx'

type Loaded<Text> = { match: { context: RouterContext }; loaderData?: Text | undefined }

/** Options of a public route whose words owners edit; its loader answers the texts of the page of this name. */
export const textPage = <Name extends PageName>(name: Name) => ({
  staticData: { isPublic: true },
  loader: ({ context }: { context: RouterContext }): Promise<PageTexts[Name]> => need(context, pageTextQuery(name)),
  head: ({ match, loaderData }: Loaded<PageTexts[Name]>) =>
    loaderData ? pageHead({ ...loaderData, siteName: match.context.content.brand.name }) : {},
})
