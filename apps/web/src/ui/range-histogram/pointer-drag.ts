import type { Thumb } from './range-thumbs.ts';

export type DragHandlers = Readonly<{
  /** A thumb, or the track (null) at a place; answers where the thumb that is now held stands. */
  onTake: (thumb: Thumb | null, percent: number) => number;
  /** At most once a frame, and once more before the end. */
  onDrag: (percent: number) => void;
  onDrop: () => void;
  onTakeBack: () => void;
}>;

type Held = {
  readonly id: number;
  readonly thumb: Thumb | null;
  readonly left: number;
  readonly width: number;
  readonly downAt: readonly [x: number, y: number];
  /** From the thumb's place to the pointer, in pixels: a thumb does not jump under the hand. */
  offset: number;
  x: number;
  /** A finger on the track, which may still be about to scroll the page. */
  waits: boolean;
};

/** Pixels a finger goes sideways before it means the track and not the page. */
const slop = 6;

const thumbOf = (target: EventTarget | null): Thumb | null => {
  const at = target instanceof Element ? target.closest<HTMLElement>('.thumb')?.dataset['thumb'] : undefined;
  return at === '0' ? 0 : at === '1' ? 1 : null;
};

const isPlain = ({ button, isPrimary, altKey, ctrlKey, metaKey }: PointerEvent): boolean =>
  isPrimary && button === 0 && !altKey && !ctrlKey && !metaKey;

/**
 * Follows the pointer that takes hold of a track, wherever it goes, until it lets go; Escape takes the drag back.
 * Whatever else ends it (another gesture, a lost button, the track's removal) keeps what was dragged so far.
 */
export const followPointer = (track: HTMLElement, handlers: DragHandlers): (() => void) => {
  let held: Held | null = null;
  let frame = 0;

  const drag = (): void => {
    cancelAnimationFrame(frame);
    frame = 0;
    if (!held || held.waits) return;
    handlers.onDrag(Math.min(1, Math.max(0, (held.x - held.offset - held.left) / held.width)));
  };
  const take = (now: Held): void => {
    now.waits = false;
    const place = handlers.onTake(now.thumb, (now.downAt[0] - now.left) / now.width);
    if (now.thumb !== null) now.offset = now.downAt[0] - (now.left + place * now.width);
    drag();
  };
  const end = (how: 'kept' | 'taken back'): void => {
    if (!held) return;
    if (how === 'kept') drag();
    const { waits } = held;
    held = null;
    cancelAnimationFrame(frame);
    frame = 0;
    if (waits) return;
    if (how === 'kept') handlers.onDrop();
    else handlers.onTakeBack();
  };

  const onDown = (event: PointerEvent): void => {
    if (held || !isPlain(event)) return;
    const { left, width } = track.getBoundingClientRect();
    const thumb = thumbOf(event.target);
    const [x, y] = [event.clientX, event.clientY];
    held = { id: event.pointerId, thumb, left, width, downAt: [x, y], offset: 0, x, waits: true };
    track.setPointerCapture(event.pointerId);
    if (thumb !== null || event.pointerType !== 'touch') take(held);
  };
  const onMove = (event: PointerEvent): void => {
    if (event.pointerId !== held?.id) return;
    if (event.pointerType === 'mouse' && event.buttons === 0) return end('kept');
    held.x = event.clientX;
    const [dx, dy] = [event.clientX - held.downAt[0], event.clientY - held.downAt[1]].map(Math.abs);
    if (held.waits && (dx ?? 0) > slop && (dx ?? 0) > (dy ?? 0)) take(held);
    frame ||= requestAnimationFrame(drag);
  };
  const onUp = (event: PointerEvent): void => {
    if (event.pointerId !== held?.id) return;
    held.x = event.clientX;
    if (held.waits) take(held);
    end('kept');
  };
  const onLost = (event: PointerEvent): void => {
    if (event.pointerId === held?.id) end('kept');
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !held) return;
    event.preventDefault();
    event.stopPropagation();
    end('taken back');
  };

  const listening = new AbortController();
  const { signal } = listening;
  track.addEventListener('pointerdown', onDown, { signal });
  track.addEventListener('pointermove', onMove, { signal });
  track.addEventListener('pointerup', onUp, { signal });
  track.addEventListener('pointercancel', onLost, { signal });
  track.addEventListener('lostpointercapture', onLost, { signal });
  // The focus on the thumb would go with the press.
  track.addEventListener('mousedown', (event) => event.preventDefault(), { signal });
  window.addEventListener('keydown', onKey, { signal, capture: true });
  return () => {
    end('kept');
    listening.abort();
  };
};
