import * as v from 'valibot'
import type { PageName, PageTexts } from '#shared/contract/page-texts.ts'
import { api, ask } from './api.ts'

const isObject = (value: unknown) => typeof value === 'object' && value !== null

/** The server has checked the texts when it read them. */
export const askForTexts = <Name extends PageName>(page: Name): Promise<PageTexts[Name]> =>
  ask(v.custom<PageTexts[Name]>(isObject), api.api['site-content'].get({ query: { page } }))
