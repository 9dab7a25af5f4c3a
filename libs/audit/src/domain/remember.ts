/**
 * The function with its results remembered, one for each object that is still in use. Lists and states never change, and one
 * history is asked several questions about the same instant.
 */
export const remember = <Of extends object, Value>(compute: (of: Of) => Value): ((of: Of) => Value) => {
  const known = new WeakMap<Of, Readonly<{ value: Value }>>();
  return (of) => {
    const found = known.get(of);
    if (found) return found.value;
    const value = compute(of);
    known.set(of, { value });
    return value;
  };
};
