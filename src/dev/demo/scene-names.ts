/** What the demo plays, in this order. */
export const sceneNames = [
  ...(['label', 'push', 'storefront', 'hide', 'circle'] as const),
  ...(['apply', 'lock', 'merge', 'fail', 'fix', 'kill', 'unlock'] as const),
] as const

export type SceneName = (typeof sceneNames)[number]
