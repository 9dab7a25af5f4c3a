import { selectAll } from '@codemirror/commands';
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import {
  Compartment,
  EditorState,
  RangeSet,
  StateEffect,
  StateField,
  type Extension,
} from '@codemirror/state';
import {
  Decoration,
  EditorView,
  gutterLineClass,
  GutterMarker,
  keymap,
  lineNumbers,
  type DecorationSet,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { Match } from './find-matches.ts';
import { extendedTo, type LineRange } from './line-range.ts';
import { pineParser } from './pine-parser.ts';
import { viewerTheme } from './viewer-theme.ts';

/** The colours are those of the theme, which the variables follow. */
const highlighting = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--code-comment)' },
  { tag: tags.meta, color: 'var(--code-meta)' },
  { tag: tags.string, color: 'var(--code-str)' },
  { tag: [tags.number, tags.color], color: 'var(--code-num)' },
  { tag: [tags.keyword, tags.typeName, tags.atom], color: 'var(--code-keyword)' },
  { tag: tags.function(tags.standard(tags.variableName)), color: 'var(--code-fn)' },
]);

export type Found = Readonly<{ matches: readonly Match[]; current: number }>;

const setFound = StateEffect.define<Found>();
const setMarked = StateEffect.define<LineRange | null>();

const match = Decoration.mark({ class: 'cm-match' });
const currentMatch = Decoration.mark({ class: 'cm-match cm-match--current' });

const foundField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (shown, { effects }) => {
    const found = effects.findLast((effect) => effect.is(setFound))?.value;
    return found
      ? Decoration.set(
          found.matches.map(({ from, to }, at) =>
            (at === found.current ? currentMatch : match).range(from, to),
          ),
        )
      : shown;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const markedLine = Decoration.line({ class: 'cm-marked' });
const markedNumber = new (class extends GutterMarker {
  override elementClass = 'cm-marked';
})();

const markedField = StateField.define<LineRange | null>({
  create: () => null,
  update: (marked, { effects }) => {
    const effect = effects.findLast((each) => each.is(setMarked));
    return effect ? effect.value : marked;
  },
  provide: (field) => [
    EditorView.decorations.compute([field], (state) =>
      Decoration.set(markedStarts(state, field).map((from) => markedLine.range(from))),
    ),
    gutterLineClass.compute([field], (state) =>
      RangeSet.of(markedStarts(state, field).map((from) => markedNumber.range(from))),
    ),
  ],
});

/** Where the marked lines begin. */
const markedStarts = (state: EditorState, field: StateField<LineRange | null>): readonly number[] => {
  const marked = state.field(field);
  if (!marked) return [];
  const to = Math.min(marked.to, state.doc.lines);
  return Array.from({ length: to - marked.from + 1 }, (_, at) => state.doc.line(marked.from + at).from);
};

/** A click on a line's number marks the line, one with Shift all lines up to it. */
const numbers = (onMark: (range: LineRange) => void): Extension =>
  lineNumbers({
    domEventHandlers: {
      mousedown: (view, { from }, event) => {
        if (!(event instanceof MouseEvent) || event.button !== 0) return false;
        const line = view.state.doc.lineAt(from).number;
        onMark(event.shiftKey ? extendedTo(view.state.field(markedField), line) : { from: line, to: line });
        return true;
      },
    },
  });

const isInView = (view: EditorView, position: number): boolean => {
  const { top, bottom } = view.lineBlockAt(position);
  const { scrollTop, clientHeight } = view.scrollDOM;
  return top >= scrollTop && bottom <= scrollTop + clientHeight;
};

/** Scrolls to a position, unless it can be seen already. */
const reveal = (view: EditorView, position: number): readonly StateEffect<unknown>[] =>
  isInView(view, position) ? [] : [EditorView.scrollIntoView(position, { y: 'center', x: 'nearest' })];

/**
 * The viewer measures its lines only where they can be seen, or to scroll to a position. So it scrolls to its beginning
 * when it opens, which moves nothing; otherwise the numbers of the lines would move when it comes into the window.
 */
const measuredWhenOpened = () => {
  let isOpening = true;
  const handler = EditorView.scrollHandler.of((_view, { head }) => {
    const isBeginning = isOpening && head === 0;
    isOpening = false;
    return isBeginning;
  });
  return { handler, scrollTo: EditorView.scrollIntoView(0) };
};

export type PineViewer = Readonly<{
  setWrapped: (isWrapped: boolean) => void;
  showFound: (found: Found) => void;
  showMarked: (marked: LineRange | null) => void;
  destroy: () => void;
}>;

export type PineViewerOptions = Readonly<{
  parent: HTMLElement;
  text: string;
  version: number | null;
  label: string;
  onMark: (range: LineRange) => void;
}>;

/** A read-only view of a script, of which only the lines on the screen are in the document. */
export const openPineViewer = ({ parent, text, version, label, onMark }: PineViewerOptions): PineViewer => {
  const wrapping = new Compartment();
  // In a shadow root the viewer's styles are constructed ones, which the content policy allows.
  const root = parent.shadowRoot ?? parent.attachShadow({ mode: 'open' });
  const { handler, scrollTo } = measuredWhenOpened();
  const view = new EditorView({
    parent: root,
    root,
    scrollTo,
    state: EditorState.create({
      doc: text,
      extensions: [
        numbers(onMark),
        keymap.of([{ key: 'Mod-a', run: selectAll }]),
        foundField,
        markedField,
        wrapping.of([]),
        handler,
        EditorState.readOnly.of(true),
        EditorState.tabSize.of(4),
        // A text that can be edited would open the keyboard of a telephone.
        EditorView.editable.of(false),
        EditorView.contentAttributes.of({ tabindex: '0', 'aria-label': label, 'aria-readonly': 'true' }),
        StreamLanguage.define(pineParser(version)),
        syntaxHighlighting(highlighting),
        viewerTheme,
      ],
    }),
  });
  return {
    setWrapped: (isWrapped) =>
      view.dispatch({ effects: wrapping.reconfigure(isWrapped ? EditorView.lineWrapping : []) }),
    showFound: (found) => {
      const shown = found.matches[found.current];
      view.dispatch({ effects: [setFound.of(found), ...(shown ? reveal(view, shown.from) : [])] });
    },
    showMarked: (marked) => {
      const start = marked && view.state.doc.line(marked.from).from;
      view.dispatch({ effects: [setMarked.of(marked), ...(start === null ? [] : reveal(view, start))] });
    },
    destroy: () => view.destroy(),
  };
};
