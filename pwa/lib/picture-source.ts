import { createContext, useContext } from 'react'
import { addressOfLook } from '#shared/rules/picture-address.ts'

export type Photograph = { image: string; alt: string }

/** The photographs that replace drawings, by the drawing's name, and the look the other drawings use. */
type PictureSource = { look: string; photographs: Partial<Record<string, Photograph>> }

/** In its own file, so that forms, which show no picture, load none of the code for drawing one. */
export const PictureSourceContext = createContext<PictureSource>({ look: '', photographs: {} })

export const useLookAddress = (path: string): string => addressOfLook(path, useContext(PictureSourceContext).look)
