/** The demo's scenes, in the order they are played. */
export const sceneNames = [
  ...(['label', 'push', 'storefront', 'hide', 'cycle'] as const),
  ...(['apply', 'lock', 'merge', 'fail', 'fix', 'kill', 'unlock'] as const),
] as const

export type SceneName = (typeof sceneNames)[number]
