import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** The site's own face, as TrueType: the web font's format cannot be put into a PDF. */
const archivo = {
  regular: require.resolve('@expo-google-fonts/archivo/400Regular/Archivo_400Regular.ttf'),
  bold: require.resolve('@expo-google-fonts/archivo/700Bold/Archivo_700Bold.ttf'),
}

/** For names that Archivo has no letters for: Greek, Cyrillic, Arabic and many more. */
const dejaVu = {
  regular: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  bold: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
}

/** Latin letters of every European language and Vietnamese, with the punctuation of names and amounts. */
const inArchivo =
  /^[\n\u0020-\u007E\u00A0-\u017F\u01CD-\u01DC\u01FA-\u021B\u1E80-\u1E85\u1E9E\u1EA0-\u1EF9\u2010\u2011\u2013-\u2015\u2018-\u201A\u201C-\u201E\u2020-\u2022\u2026\u2032\u2033\u20AC\u2122\u2212]*$/

export const fontFor = (text: string, weight: 'regular' | 'bold') => (inArchivo.test(text) ? archivo : dejaVu)[weight]
