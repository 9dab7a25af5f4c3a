/** A value that JSON can represent. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined };

/** A JSON object; also the type of event data. */
export type JsonObject = { readonly [key: string]: JsonValue | undefined };
