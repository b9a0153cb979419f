import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { many } from '../parts/words.ts'
import type { Scene } from './scene.ts'
import { createStage, type Stage } from './stage.ts'
import { useDrag } from './useDrag.ts'
import { Icons, usePaints } from './usePaints.tsx'
import './graph.css'

type GraphProps = { scene: Scene; select: (stack: number | undefined) => void }

/** Of a small graph's window: the names of its waves, the buttons, and some room to move it. */
const around = 140

/** The graph on a canvas: it is moved by dragging and zoomed by the wheel, two fingers or buttons; a click chooses a stack. */
export const Graph = ({ scene, select }: GraphProps) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  const icons = useRef<HTMLDivElement>(null)
  const paints = usePaints(icons)
  const [stage, setStage] = useState<Stage>()
  const [over, setOver] = useState<number>()
  useEffect(() => {
    if (!canvas.current) return
    const made = createStage(canvas.current)
    setStage(made)
    return made.stop
  }, [])
  useEffect(() => {
    if (paints) stage?.show(scene, paints)
  }, [stage, scene, paints])
  const { selected } = scene
  const isReady = paints !== undefined
  useEffect(() => {
    if (selected !== undefined && isReady) stage?.find(selected)
  }, [stage, selected, isReady])
  useWheel(canvas, stage)
  const drag = useDrag(stage, select)
  const hover = (event: PointerEvent): void => {
    if (event.buttons === 0) setOver(stage?.at(event))
  }
  const { waves, height } = scene.layers
  const count = waves.reduce((sum, wave) => sum + wave.count, 0)
  return (
    <div className="graph">
      <Icons of={icons} />
      <canvas
        ref={canvas}
        className={over === undefined ? 'graph-canvas' : 'graph-canvas graph-over'}
        role="img"
        aria-label={`The graph: ${many(count, 'stack')} in ${many(waves.length, 'wave')}. The table has the same.`}
        style={{ maxHeight: height + around }}
        {...drag}
        onPointerMove={(event) => {
          hover(event)
          drag.onPointerMove(event)
        }}
        onPointerLeave={() => setOver(undefined)}
      />
      <fieldset className="graph-zoom">
        <legend className="unseen">What is in view</legend>
        <button type="button" className="button" aria-label="Zoom out" onClick={() => stage?.zoom(1 / 1.4)}>
          −
        </button>
        <button type="button" className="button" aria-label="Zoom in" onClick={() => stage?.zoom(1.4)}>
          +
        </button>
        <button type="button" className="button" onClick={() => stage?.whole()}>
          All
        </button>
      </fieldset>
      {over !== undefined && <p className="graph-name">{scene.graph.keys[over]}</p>}
    </div>
  )
}

/** React listens to wheels without being able to keep the page from scrolling. */
const useWheel = (canvas: React.RefObject<HTMLCanvasElement | null>, stage: Stage | undefined): void => {
  useEffect(() => {
    const element = canvas.current
    if (!element || !stage) return
    const turn = (event: WheelEvent): void => {
      event.preventDefault()
      if (event.shiftKey) stage.pan(-event.deltaY, 0)
      else stage.zoomAround(event, Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0018)))
    }
    element.addEventListener('wheel', turn, { passive: false })
    return () => element.removeEventListener('wheel', turn)
  }, [canvas, stage])
}
