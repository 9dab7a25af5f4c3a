import type { StreamParser, StringStream } from '@codemirror/language';
import { oldestVersion, wordsOfVersion, type VersionWords } from './pine-words.ts';

/** What a token is, by the names that CodeMirror gives to highlighting tags. */
export type PineToken =
  | 'comment'
  | 'meta'
  | 'string'
  | 'number'
  | 'color'
  | 'keyword'
  | 'typeName'
  | 'atom'
  | 'variableName.standard.function'
  | 'variableName.standard'
  | 'variableName.function'
  | 'variableName'
  | 'operator'
  | null;

const string = /^(?:"(?:[^"\\]|\\.)*(?:"|\\?$)|'(?:[^'\\]|\\.)*(?:'|\\?$))/;
const colour = /^#[0-9a-f]{6}(?:[0-9a-f]{2})?(?![0-9a-z_])/i;
const number = /^(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/i;
const name = /^[a-z_]\w*(?:\.[a-z_]\w*)*/i;
const operator = /^(?:=>|[:=!<>+\-*/%]=|[=<>+\-*/%?:])/;
const annotation = /^\/\/\s?(?:@\w+(?:\s*=\s*\d+)?|#(?:end)?region\b)/;

/** A comment of the language's own, such as `//@version=5`, is marked as far as it is an annotation. */
const comment = (stream: StringStream): PineToken => {
  if (stream.match(annotation)) return 'meta';
  stream.skipToEnd();
  return 'comment';
};

const call = /^\s*\(/;
/** After the name of an argument or of a variable, which may be a word of the language: `color=red`, `type=float`. */
const assignment = /^\s*=(?![=>])/;

const wordOf = (stream: StringStream, words: VersionWords): PineToken => {
  const text = stream.current();
  if (stream.match(assignment, false)) return 'variableName';
  const isCall = stream.match(call, false) !== null;
  const [first = text, second] = text.split('.');
  if (second !== undefined) {
    return words.namespace.has(first) ? 'variableName.standard.function' : 'variableName';
  }
  if (words.keyword.has(text)) return 'keyword';
  if (isCall && words.function.has(text)) return 'variableName.standard.function';
  if (words.constant.has(text)) return 'atom';
  if (isCall) return 'variableName.function';
  if (words.type.has(text)) return 'typeName';
  return words.variable.has(text) ? 'variableName.standard' : 'variableName';
};

/** Whether an annotation has begun the rest of the line, which then is a comment. */
type PineState = { isAfterAnnotation: boolean };

/**
 * Tokens of Pine Script as a version of it understands them: `sma(close, 9)` is a built-in function up to version 4, and
 * one of the script itself from version 5 on.
 */
export const pineParser = (version: number | null): StreamParser<PineState> => {
  const words = wordsOfVersion(version ?? oldestVersion);
  const token = (stream: StringStream, state: PineState): PineToken => {
    if (stream.sol()) state.isAfterAnnotation = false;
    if (stream.eatSpace()) return null;
    if (state.isAfterAnnotation) {
      stream.skipToEnd();
      return 'comment';
    }
    if (stream.match('//', false)) {
      const kind = comment(stream);
      state.isAfterAnnotation = kind === 'meta';
      return kind;
    }
    if (stream.match(string)) return 'string';
    if (stream.match(colour)) return 'color';
    if (stream.match(number)) return 'number';
    if (stream.match(name)) return wordOf(stream, words);
    if (stream.match(operator)) return 'operator';
    stream.next();
    return null;
  };
  return {
    name: 'pine',
    startState: () => ({ isAfterAnnotation: false }),
    copyState: (state) => ({ ...state }),
    token,
    languageData: { commentTokens: { line: '//' } },
  };
};
