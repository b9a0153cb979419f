/** A part of a list, as every list of the API answers it. */
export type Page<T> = { items: T[]; next_cursor?: string | undefined; total?: number | undefined }
