const BEYOND_ASCII = /[^\0-\x7F]/

/** A string in Unicode's composed form, which the language's strings have. To look for the need costs a tenth of composing. */
export const composed = (text: string): string => (BEYOND_ASCII.test(text) ? text.normalize() : text)
