/** The pages that the bar leads to, with the key after `g` that opens them. A page is listed once it is there. */
export const places = [{ name: 'Overview', to: '/', key: 'o' }] as const
