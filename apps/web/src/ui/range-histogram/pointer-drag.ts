import type { Thumb } from './range-thumbs.ts';

/** Positions are shares of the track's width, from 0 to 1. */
export type DragHandlers = Readonly<{
  /** A thumb was pressed, or the track beside the thumbs (null). Returns the position of the thumb that is now held. */
  onStart: (thumb: Thumb | null, position: number) => number;
  /** At most once per frame, and once more before the end. */
  onMove: (position: number) => void;
  onEnd: () => void;
  onCancel: () => void;
}>;

type Drag = {
  readonly pointerId: number;
  readonly thumb: Thumb | null;
  readonly left: number;
  readonly width: number;
  readonly pressedAt: readonly [x: number, y: number];
  /** Pixels from the thumb to the pointer, so that a thumb does not jump when it is pressed off its centre. */
  offset: number;
  x: number;
  /** A finger on the track that may still be about to scroll the page. */
  isPending: boolean;
};

/** Pixels that a finger moves sideways before it drags the thumb instead of scrolling the page. */
const touchSlop = 6;

const thumbOf = (target: EventTarget | null): Thumb | null => {
  const thumb = target instanceof Element ? target.closest<HTMLElement>('.thumb') : null;
  const number = thumb?.dataset['thumb'];
  return number === '0' ? 0 : number === '1' ? 1 : null;
};

const isPlainPress = ({ button, isPrimary, altKey, ctrlKey, metaKey }: PointerEvent): boolean =>
  isPrimary && button === 0 && !altKey && !ctrlKey && !metaKey;

/**
 * Follows the pointer that presses the track, wherever it goes, until it is released; Escape cancels the drag.
 * Any other end (another gesture, a lost button, removal of the track) keeps what was dragged so far.
 */
export const followPointer = (track: HTMLElement, handlers: DragHandlers): (() => void) => {
  let drag: Drag | null = null;
  let frame = 0;

  const move = (): void => {
    cancelAnimationFrame(frame);
    frame = 0;
    if (!drag || drag.isPending) return;
    handlers.onMove(Math.min(1, Math.max(0, (drag.x - drag.offset - drag.left) / drag.width)));
  };
  const start = (started: Drag): void => {
    started.isPending = false;
    const [pressedX] = started.pressedAt;
    const position = handlers.onStart(started.thumb, (pressedX - started.left) / started.width);
    if (started.thumb !== null) started.offset = pressedX - (started.left + position * started.width);
    move();
  };
  const finish = (how: 'end' | 'cancel'): void => {
    if (!drag) return;
    if (how === 'end') move();
    const { isPending } = drag;
    drag = null;
    cancelAnimationFrame(frame);
    frame = 0;
    if (isPending) return;
    if (how === 'end') handlers.onEnd();
    else handlers.onCancel();
  };

  const onDown = (event: PointerEvent): void => {
    if (drag || !isPlainPress(event)) return;
    const { left, width } = track.getBoundingClientRect();
    const thumb = thumbOf(event.target);
    const { pointerId, clientX: x, clientY: y } = event;
    drag = { pointerId, thumb, left, width, pressedAt: [x, y], offset: 0, x, isPending: true };
    track.setPointerCapture(pointerId);
    if (thumb !== null || event.pointerType !== 'touch') start(drag);
  };
  const onMove = (event: PointerEvent): void => {
    if (event.pointerId !== drag?.pointerId) return;
    if (event.pointerType === 'mouse' && event.buttons === 0) return finish('end');
    drag.x = event.clientX;
    const dx = Math.abs(event.clientX - drag.pressedAt[0]);
    const dy = Math.abs(event.clientY - drag.pressedAt[1]);
    if (drag.isPending && dx > touchSlop && dx > dy) start(drag);
    frame ||= requestAnimationFrame(move);
  };
  const onUp = (event: PointerEvent): void => {
    if (event.pointerId !== drag?.pointerId) return;
    drag.x = event.clientX;
    if (drag.isPending) start(drag);
    finish('end');
  };
  const onLost = (event: PointerEvent): void => {
    if (event.pointerId === drag?.pointerId) finish('end');
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !drag) return;
    event.preventDefault();
    event.stopPropagation();
    finish('cancel');
  };

  const listeners = new AbortController();
  const { signal } = listeners;
  track.addEventListener('pointerdown', onDown, { signal });
  track.addEventListener('pointermove', onMove, { signal });
  track.addEventListener('pointerup', onUp, { signal });
  track.addEventListener('pointercancel', onLost, { signal });
  track.addEventListener('lostpointercapture', onLost, { signal });
  // The press would move the focus away from the thumb.
  track.addEventListener('mousedown', (event) => event.preventDefault(), { signal });
  window.addEventListener('keydown', onKeyDown, { signal, capture: true });
  return () => {
    finish('end');
    listeners.abort();
  };
};
