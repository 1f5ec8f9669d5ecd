import './stand-ins.ts'
import { addPlainColours } from './plain-colours.ts'

/** What a page needs in the oldest browsers we promise. */
export function adaptToOldBrowser(): void {
  if (!CSS.supports('color:light-dark(red,red)')) addPlainColours()
}
