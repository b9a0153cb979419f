import { applyScenes } from './apply-scenes.ts'
import { failingScenes } from './failing-scenes.ts'
import { planScenes } from './plan-scenes.ts'
import type { Scene } from './scene.ts'
import { type SceneName, sceneNames } from './scene-names.ts'

export const scenes: Readonly<Record<SceneName, Scene>> = { ...planScenes, ...applyScenes, ...failingScenes }

/** The wanted scenes and those they go on from, in the order they are played. */
export const scenesToPlay = (wanted: readonly SceneName[]): SceneName[] => {
  const needed = new Set(wanted)
  for (const name of needed) {
    const { after } = scenes[name]
    if (after !== undefined) needed.add(after)
  }
  return sceneNames.filter((name) => needed.has(name))
}
