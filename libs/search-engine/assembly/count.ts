export function addOne(counter: usize): void {
  store<u32>(counter, load<u32>(counter) + 1);
}
