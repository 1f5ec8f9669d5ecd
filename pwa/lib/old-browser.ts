import { addPlainColours } from './plain-colours.ts'
import { addStandIns } from './stand-ins.ts'

/** What a page needs in the oldest browsers we promise. */
export function adaptToOldBrowser(): void {
  addStandIns()
  if (!CSS.supports('color:light-dark(red,red)')) addPlainColours()
}
