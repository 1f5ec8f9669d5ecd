import { createContext, useContext } from 'react'
import { addressOfLook } from '#shared/rules/picture-address.ts'

export type Photograph = { image: string; alt: string }

/** What stands in place of drawings, by their names, and the look of the brand that the others are drawn in. */
type PictureSource = { look: string; photographs: Partial<Record<string, Photograph>> }

/** In a file of its own: forms, which show no picture, load none of what draws one. */
export const PictureSourceContext = createContext<PictureSource>({ look: '', photographs: {} })

/** Where a file of the site is, in the brand's present look. */
export const useLookAddress = (path: string): string => addressOfLook(path, useContext(PictureSourceContext).look)
