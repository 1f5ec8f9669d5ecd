/** The file of the sample quote at this place, counted from 0. */
export const quotePicture = (place: number) => `/pictures/quote-${place + 1}.svg`
