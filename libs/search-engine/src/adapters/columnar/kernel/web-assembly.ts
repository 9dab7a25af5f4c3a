/** A memory of WebAssembly; shared between threads when its buffer is. */
export type KernelMemory = Readonly<{ buffer: ArrayBuffer | SharedArrayBuffer }>;

export type CompiledModule = Readonly<{ readonly compiled: unique symbol }>;

/** What the kernel needs of WebAssembly: the types of Node leave it to the browser's. */
type WebAssemblyApi = Readonly<{
  Memory: new (size: Readonly<{ initial: number; maximum: number; shared: true }>) => KernelMemory;
  Module: new (bytes: Uint8Array) => CompiledModule;
  Instance: new (
    module: CompiledModule,
    imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ) => Readonly<{ exports: Readonly<Record<string, unknown>> }>;
  validate: (bytes: Uint8Array) => boolean;
}>;

// The types of Node leave this global out.
export const webAssembly = (globalThis as unknown as Readonly<{ WebAssembly: WebAssemblyApi }>).WebAssembly;
